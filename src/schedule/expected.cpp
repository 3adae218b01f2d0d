#include "schedule/expected.hpp"

namespace carpool::schedule {
namespace {

std::vector<Content> expected_at(int rank, routing::Pattern pattern, const topology::Grid& grid,
                                 const topology::Neighborhood& neighborhood,
                                 std::span<const std::int64_t> block_bytes) {
    const auto coordinates = grid.coordinates(rank);
    std::vector<Content> places(static_cast<std::size_t>(neighborhood.size()));
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

Postcondition expected_sums(Operation operation, const topology::Grid& grid,
                            const topology::Neighborhood& neighborhood, std::int64_t bytes) {
    Postcondition postcondition(static_cast<std::size_t>(grid.size()), {Content{}});
    for (int rank = 0; rank < grid.size() && bytes > 0; ++rank) {
        const auto coordinates = grid.coordinates(rank);
        auto& blocks = postcondition[static_cast<std::size_t>(rank)].front().blocks;
        for (int i = 0; i < neighborhood.size(); ++i) {
            const int source = grid.rank_at(coordinates, neighborhood[i], -1);
            const int block = sends_one_block(operation) ? 0 : i;
            if (source != topology::no_rank) blocks.push_back({source, block, bytes});
        }
    }
    return postcondition;
}

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
