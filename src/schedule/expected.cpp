// SPDX-License-Identifier: MIT
#include "schedule/expected.hpp"

#include <utility>

namespace carpool::schedule {
namespace {

std::vector<Content> blocks_at(int rank, routing::Pattern pattern, const topology::Grid& grid,
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

Content sum_at(int rank, Operation operation, const topology::Grid& grid,
               const topology::Neighborhood& neighborhood, std::int64_t bytes) {
    const auto coordinates = grid.coordinates(rank);
    Content sum;
    for (int i = 0; i < neighborhood.size() && bytes > 0; ++i) {
        const int source = grid.rank_at(coordinates, neighborhood[i], -1);
        const int block = sends_one_block(operation) ? 0 : i;
        if (source != topology::no_rank) sum.add({source, block, bytes});
    }
    return sum;
}

/// The send block of its source that arrives along an edge of this rank.
int block_at(const topology::Graph& graph, Operation operation, const topology::Edge& edge,
             int rank) {
    if (sends_one_block(operation)) return 0;
    const auto& out = graph[static_cast<std::size_t>(edge.peer)].out;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (out[i] == topology::Edge{rank, edge.label}) return static_cast<int>(i);
    return -1;
}

}  // namespace

std::vector<Content> expected_at(int rank, Operation operation, const topology::Grid& grid,
                                 const topology::Neighborhood& neighborhood,
                                 std::span<const std::int64_t> block_bytes) {
    if (reduces(operation))
        return {sum_at(rank, operation, grid, neighborhood, block_bytes.front())};
    return blocks_at(rank, pattern_of(operation), grid, neighborhood, block_bytes);
}

Postcondition expected_sums(Operation operation, const topology::Grid& grid,
                            const topology::Neighborhood& neighborhood, std::int64_t bytes) {
    Postcondition postcondition;
    for (int rank = 0; rank < grid.size(); ++rank)
        postcondition.push_back({sum_at(rank, operation, grid, neighborhood, bytes)});
    return postcondition;
}

Postcondition expected(routing::Pattern pattern, const topology::Grid& grid,
                       const topology::Neighborhood& neighborhood,
                       std::span<const std::int64_t> block_bytes) {
    Postcondition postcondition;
    postcondition.reserve(static_cast<std::size_t>(grid.size()));
    for (int rank = 0; rank < grid.size(); ++rank)
        postcondition.push_back(blocks_at(rank, pattern, grid, neighborhood, block_bytes));
    return postcondition;
}

Postcondition expected(Operation operation, const topology::Graph& graph,
                       std::span<const std::vector<std::int64_t>> block_bytes) {
    Postcondition postcondition;
    for (int rank = 0; rank < static_cast<int>(graph.size()); ++rank) {
        std::vector<Content> places;
        for (const auto& edge : graph[static_cast<std::size_t>(rank)].in) {
            auto& place = places.emplace_back();
            if (edge.peer == topology::no_rank) continue;
            const int block = block_at(graph, operation, edge, rank);
            const auto& sizes = block_bytes[static_cast<std::size_t>(edge.peer)];
            const auto bytes = sizes[reduces(operation) ? 0 : static_cast<std::size_t>(block)];
            if (bytes > 0) place = Origin{edge.peer, block, bytes};
        }
        if (reduces(operation)) {
            Content sum;
            for (const auto& place : places) sum.add(place);
            places = {std::move(sum)};
        }
        postcondition.push_back(std::move(places));
    }
    return postcondition;
}

}  // namespace carpool::schedule
