// SPDX-License-Identifier: MIT
#include "samples.hpp"

#include <random>
#include <set>

namespace cli {
namespace {

using Coordinates = std::vector<int>;

int rank_of(const carpool::topology::Grid& grid, const Coordinates& coordinates) {
    return grid.rank_at(Coordinates(coordinates.size(), 0), coordinates);
}

/// The first, middle and last coordinate in a dimension.
std::vector<int> marks_of(const carpool::topology::Grid& grid, int k) {
    return {0, grid.dim(k) / 2, grid.dim(k) - 1};
}

}  // namespace

/// In more dimensions than two there are more corners and edges than these: a rank has the same
/// mark in all dimensions but one.
std::vector<int> samples_of(const carpool::topology::Grid& grid, int random_ranks) {
    std::set<int> ranks;
    for (const std::size_t mark : {0, 1, 2}) {
        Coordinates alike;
        for (int k = 0; k < grid.dimensions(); ++k) alike.push_back(marks_of(grid, k)[mark]);
        for (int k = 0; k < grid.dimensions(); ++k) {
            auto other = alike;
            for (const int coordinate : marks_of(grid, k)) {
                other[static_cast<std::size_t>(k)] = coordinate;
                ranks.insert(rank_of(grid, other));
            }
        }
    }
    std::mt19937_64 engine(1);
    for (int i = 0; i < random_ranks; ++i)
        ranks.insert(static_cast<int>(engine() % static_cast<std::uint64_t>(grid.size())));
    return {ranks.begin(), ranks.end()};
}

}  // namespace cli
