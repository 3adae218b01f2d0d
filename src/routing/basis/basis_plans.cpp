// SPDX-License-Identifier: MIT
#include "routing/basis/basis_plans.hpp"

#include "routing/basis/basis_legs.hpp"
#include "routing/basis/leg_groups.hpp"
#include "routing/dimension_wise.hpp"

#include <numeric>
#include <utility>

namespace carpool::routing {
namespace {

/// Bases along dimensions and, if these are smaller, of vectors. Where blocks differ, there are
/// also bases with additional steps, by which long blocks take fewer hops; equal blocks gain as
/// much by steps that are taken together.
std::vector<std::vector<Leg>> bases_of(const topology::Grid& grid,
                                       const topology::Neighborhood& neighborhood, Pattern pattern,
                                       std::span<const std::int64_t> weights) {
    std::vector<std::vector<Leg>> bases{legs_by_dimension(grid, neighborhood, pattern, weights)};
    auto vectors = legs_by_vectors(grid, neighborhood, pattern, bases.front(), weights);
    if (!vectors.empty()) bases.push_back(std::move(vectors));
    for (std::size_t spare = 1; spare <= 2 && !weights.empty(); ++spare)
        bases.push_back(legs_by_dimension(grid, neighborhood, pattern, weights, spare));
    return bases;
}

double mean_weight(std::span<const std::int64_t> weights) {
    if (weights.empty()) return 1;
    const auto sum = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    return static_cast<double>(sum) / static_cast<double>(weights.size());
}

template <typename T>
std::vector<T> picked(std::vector<T> all, const std::vector<std::size_t>& numbers) {
    std::vector<T> result;
    for (const auto number : numbers) result.push_back(std::move(all[number]));
    return result;
}

/// A grouping, and the index of its basis.
struct Mixture {
    std::size_t basis;
    Grouping grouping;
};

std::vector<Mixture> worth_planning(const std::vector<std::vector<Leg>>& bases, Pattern pattern,
                                    std::span<const std::int64_t> weights, double block) {
    std::vector<Mixture> mixtures;
    std::vector<Counts> counts;
    for (std::size_t basis = 0; basis < bases.size(); ++basis)
        for (auto& grouping : groupings(bases[basis], pattern, weights)) {
            counts.push_back(grouping.counts);
            mixtures.push_back({basis, std::move(grouping)});
        }
    return picked(std::move(mixtures), worth_keeping(counts, block, most_basis_plans));
}

}  // namespace

Counts counts_of(const Plan& plan, std::span<const std::int64_t> weights) {
    return {plan.rounds(), plan.least_phases(), plan.volume_by(weights)};
}

std::vector<Plan> basis_plans(const topology::Grid& grid,
                              const topology::Neighborhood& neighborhood, Pattern pattern,
                              std::span<const std::int64_t> weights) {
    if (pattern == Pattern::allgather) weights = {};
    const auto bases = bases_of(grid, neighborhood, pattern, weights);
    const auto block = mean_weight(weights);
    std::vector<Plan> plans;
    std::vector<Counts> counts;
    for (const auto& [basis, grouping] : worth_planning(bases, pattern, weights, block)) {
        plans.push_back(plan_along(grouped(grid, bases[basis], grouping), neighborhood.dimensions(),
                                   neighborhood.size(), pattern, one_hop));
        counts.push_back(counts_of(plans.back(), weights));
    }
    return picked(std::move(plans), undominated(counts));  // some have fewer phases than groups
}

}  // namespace carpool::routing
