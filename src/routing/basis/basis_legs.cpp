// SPDX-License-Identifier: MIT
#include "routing/basis/basis_legs.hpp"

#include "routing/basis/additive_basis.hpp"
#include "routing/basis/vector_basis.hpp"

#include <cstddef>
#include <map>
#include <utility>

namespace carpool::routing {
namespace {

/// The coordinates of all offsets in one dimension, reduced to those of least magnitude.
std::vector<int> coordinates_along(const topology::Grid& grid,
                                   const topology::Neighborhood& neighborhood, int dimension) {
    std::vector<int> coordinates;
    coordinates.reserve(static_cast<std::size_t>(neighborhood.size()));
    for (int i = 0; i < neighborhood.size(); ++i)
        coordinates.push_back(
            grid.shortest(dimension, neighborhood[i][static_cast<std::size_t>(dimension)]));
    return coordinates;
}

using StepsOf = std::map<int, std::vector<Step>>;  // per coordinate

std::int64_t weight_of(std::span<const std::int64_t> weights, std::size_t neighbor) {
    return weights.empty() ? 1 : weights[neighbor];
}

StepsOf steps_of(const std::map<int, std::int64_t>& blocks_by, Signs signs, Pattern pattern,
                 std::size_t spare) {
    std::vector<Value> values;
    for (const auto& [coordinate, blocks] : blocks_by)
        if (coordinate != 0) values.push_back({coordinate, blocks});
    const auto steps = smallest_basis(values, signs, pattern, spare);
    StepsOf result{{0, {}}};
    for (std::size_t i = 0; i < values.size(); ++i) result[values[i].value] = steps[i];
    return result;
}

/// The bases of several dimensions; dimensions with equal coordinates share one.
class Bases {
public:
    Bases(Pattern pattern, std::span<const std::int64_t> weights, std::size_t spare)
        : pattern_(pattern), weights_(weights), spare_(spare) {}

    const StepsOf& of(const std::vector<int>& coordinates, Signs signs) {
        Key key{signs, {}};
        for (std::size_t i = 0; i < coordinates.size(); ++i)
            key.second[coordinates[i]] += weight_of(weights_, i);
        auto& steps = known_[key];
        if (steps.empty()) steps = steps_of(key.second, signs, pattern_, spare_);
        return steps;
    }

private:
    using Key = std::pair<Signs, std::map<int, std::int64_t>>;

    Pattern pattern_;
    std::span<const std::int64_t> weights_;
    std::size_t spare_;
    std::map<Key, StepsOf> known_;
};

/// One leg per level: a neighbor's coordinate in it is its step of that level, if it has one.
std::vector<Leg> unfolded(const std::vector<int>& direction, const std::vector<int>& coordinates,
                          const StepsOf& steps_of) {
    std::vector<Leg> legs;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        for (const auto& step : steps_of.at(coordinates[i])) {
            while (static_cast<int>(legs.size()) <= step.level)
                legs.push_back({direction, {{}, std::vector<int>(coordinates.size(), 0)}});
            legs[static_cast<std::size_t>(step.level)].axis.index_of[i] = step.hop;
        }
    }
    for (auto& leg : legs) leg.axis = axis_of(leg.axis.index_of);
    return legs;
}

std::size_t rounds_of(std::span<const Leg> legs) {
    std::size_t rounds = 0;
    for (const auto& leg : legs) rounds += static_cast<std::size_t>(nonzero_values(leg.axis));
    return rounds;
}

/// A leg for each vector, which a neighbor takes once or not at all.
std::vector<Leg> legs_along(const VectorBasis& basis) {
    std::vector<Leg> legs;
    for (std::size_t step = 0; step < basis.steps.size(); ++step) {
        std::vector<int> times;
        times.reserve(basis.of_neighbor.size());
        for (const auto set : basis.of_neighbor) times.push_back(static_cast<int>(set >> step & 1));
        legs.push_back({basis.steps[step], axis_of(times)});
    }
    return legs;
}

}  // namespace

/// Routes by a basis are routes by whole coordinates if every step is taken for a dimension.
std::vector<Leg> legs_by_dimension(const topology::Grid& grid,
                                   const topology::Neighborhood& neighborhood, Pattern pattern,
                                   std::span<const std::int64_t> weights, std::size_t spare) {
    Bases bases(pattern, weights, spare);
    std::vector<Leg> legs;
    for (int k = 0; k < neighborhood.dimensions(); ++k) {
        const auto coordinates = coordinates_along(grid, neighborhood, k);
        const auto signs = grid.periodic(k) ? Signs::mixed : Signs::own;
        const auto direction = unit_vector(neighborhood.dimensions(), k);
        for (auto& leg : unfolded(direction, coordinates, bases.of(coordinates, signs)))
            legs.push_back(std::move(leg));
    }
    return legs;
}

std::vector<Leg> legs_by_vectors(const topology::Grid& grid,
                                 const topology::Neighborhood& neighborhood, Pattern pattern,
                                 std::span<const Leg> fewer_than,
                                 std::span<const std::int64_t> weights) {
    const auto basis =
        smallest_vector_basis(grid, neighborhood, pattern, rounds_of(fewer_than), weights);
    return basis.steps.empty() ? std::vector<Leg>{} : legs_along(basis);
}

}  // namespace carpool::routing
