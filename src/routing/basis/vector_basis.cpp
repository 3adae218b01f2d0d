// SPDX-License-Identifier: MIT
#include "routing/basis/vector_basis.hpp"

#include "routing/basis/basis_bound.hpp"
#include "routing/basis/growing.hpp"
#include "routing/basis/halving.hpp"
#include "routing/basis/offset_space.hpp"
#include "routing/basis/vector_choice.hpp"
#include "routing/basis/vector_search.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace carpool::routing {
namespace {

using Offset = OffsetSpace::Offset;

constexpr std::size_t most_targets = 1024;
constexpr std::size_t most_vectors_searched = 6;
constexpr std::int64_t most_tries = 1 << 11;

/// The offsets as numbers; zero stands for a block that stays at its origin.
std::vector<Offset> packed(const OffsetSpace& space, const topology::Neighborhood& neighborhood) {
    std::vector<Offset> offsets;
    offsets.reserve(static_cast<std::size_t>(neighborhood.size()));
    for (int i = 0; i < neighborhood.size(); ++i) offsets.push_back(space.packed(neighborhood[i]));
    return offsets;
}

Targets targets_of(const std::vector<Offset>& offsets, std::span<const std::int64_t> weights) {
    std::vector<std::pair<Offset, std::int64_t>> sorted;
    for (std::size_t i = 0; i < offsets.size(); ++i)
        sorted.emplace_back(offsets[i], weights.empty() ? 1 : weights[i]);
    std::sort(sorted.begin(), sorted.end());
    Targets targets;
    for (const auto& [offset, weight] : sorted) {
        if (offset == 0) continue;
        if (targets.offsets.empty() || targets.offsets.back() != offset) {
            targets.offsets.push_back(offset);
            targets.blocks.push_back(0);
        }
        targets.blocks.back() += weight;
    }
    return targets;
}

/// Offers each target as a step. @pre a StepSet has a bit for each
void offer_each(const Targets& targets, VectorChoice& choice) {
    std::vector<StepSet> sets;
    for (std::size_t i = 0; i < targets.offsets.size(); ++i) sets.push_back(StepSet{1} << i);
    choice.offer(targets.offsets, sets);
}

/// Halving and growing find a good basis; the search then looks for smaller ones, from the bound
/// upwards. Returns whether it is certain that no smaller basis has been missed.
bool search(const OffsetSpace& space, const Targets& targets, std::size_t least,
            std::size_t fewer_than, VectorChoice& choice) {
    const auto most = [&] { return choice.empty() ? fewer_than - 1 : choice.best().steps.size(); };
    if (targets.offsets.size() <= std::min(most(), most_steps_in_set)) offer_each(targets, choice);
    offer_by_halving(space, targets, most(), choice);
    offer_by_growing(space, targets, most(), choice);
    if (!choice.empty()) VectorSearch(space, targets, most_tries).shorten(choice);
    VectorSearch search(space, targets, most_tries);
    bool exact = true;  // for all smaller sizes
    for (auto size = least; size <= most(); ++size) {
        const bool searched = size <= most_vectors_searched;
        if (searched) search.run(size, choice);
        if (!choice.empty() && choice.best().steps.size() == size) return exact;
        exact = exact && searched && search.exact();
    }
    return exact;
}

VectorBasis unpacked(const OffsetSpace& space, const Targets& targets,
                     const VectorChoice::Basis& basis, const std::vector<Offset>& offsets) {
    VectorBasis result;
    for (const auto step : basis.steps) result.steps.push_back(space.unpacked(step));
    for (const auto offset : offsets) {
        const auto at = std::lower_bound(targets.offsets.begin(), targets.offsets.end(), offset);
        result.of_neighbor.push_back(
            offset == 0
                ? 0
                : basis.taken.of_value[static_cast<std::size_t>(at - targets.offsets.begin())]);
    }
    return result;
}

}  // namespace

VectorBasis smallest_vector_basis(const topology::Grid& grid,
                                  const topology::Neighborhood& neighborhood, Pattern pattern,
                                  std::size_t fewer_than, std::span<const std::int64_t> weights) {
    const auto least = least_basis_size(grid, neighborhood);
    if (fewer_than <= least) return {{}, {}, true};
    const auto space = OffsetSpace::of(grid, neighborhood);
    if (!space) return {};
    const auto offsets = packed(*space, neighborhood);
    const auto targets = targets_of(offsets, weights);
    if (targets.offsets.empty()) return {{}, {}, true};
    if (targets.offsets.size() > most_targets) return {};
    VectorChoice choice(*space, targets, pattern);
    const bool exact = search(*space, targets, least, fewer_than, choice);
    auto basis = choice.empty() ? VectorBasis{} : unpacked(*space, targets, choice.best(), offsets);
    basis.least = exact;
    return basis;
}

}  // namespace carpool::routing
