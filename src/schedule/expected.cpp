#include "schedule/expected.hpp"

namespace carpool::schedule {
namespace {

std::vector<std::optional<Origin>> expected_at(int rank, routing::Pattern pattern,
                                               const topology::Grid& grid,
                                               const topology::Neighborhood& neighborhood,
                                               std::span<const std::int64_t> block_bytes) {
    const auto coordinates = grid.coordinates(rank);
    std::vector<std::optional<Origin>> places(static_cast<std::size_t>(neighborhood.size()));
    for (int i = 0; i < neighborhood.size(); ++i) {
        const int block = pattern == routing::Pattern::alltoall ? i : 0;
        const auto bytes = block_bytes[static_cast<std::size_t>(block)];
        const int source = grid.rank_at(coordinates, neighborhood[i], -1);
        if (source != topology::no_rank && bytes > 0)
            places[static_cast<std::size_t>(i)] = Origin{source, block, bytes};
    }
    return places;
}

}  // namespace

Postcondition expected(routing::Pattern pattern, const topology::Grid& grid,
                       const topology::Neighborhood& neighborhood,
                       std::span<const std::int64_t> block_bytes) {
    Postcondition postcondition;
    postcondition.reserve(static_cast<std::size_t>(grid.size()));
    for (int rank = 0; rank < grid.size(); ++rank)
        postcondition.push_back(expected_at(rank, pattern, grid, neighborhood, block_bytes));
    return postcondition;
}

}  // namespace carpool::schedule
