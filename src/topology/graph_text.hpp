// SPDX-License-Identifier: MIT
#pragma once

#include "topology/graph.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carpool::topology {

/// The parameters that a text may give for a graph besides its family and number of ranks.
struct GraphParameters {
    double density = 0;
    int degree = 0;  ///< or the number of senders, or of ranks in a group
    std::uint64_t seed = 1;
};

/// A family of graphs that text can name.
struct GraphFamily {
    std::string_view name;
    std::string_view arguments;
    std::string_view summary;
    std::string_view example;
    GraphParameters (*read)(const std::string& text, const std::vector<std::string>& words);
    double (*edges)(int ranks, const GraphParameters&);  ///< their number, to refuse too many
    Graph (*make)(int ranks, const GraphParameters&);
};

std::span<const GraphFamily> graph_families();

/// "random 4096 density 0.05 seed 1", where the seed is 1 if none is given, "complete 16",
/// "ring 8", "star 8", "manytomany 2048 degree 64", "rowtocolumn 64", "hot 64 senders 4" or
/// "groups 64 size 8". Throws std::invalid_argument that says what is wrong and where, also for
/// more than 2^24 edges or 2^20 ranks.
Graph graph_from_text(const std::string& text);

/// The graph of edges that lead from `from[i]` to `to[i]`; each rank lists its targets in the order
/// of the edges. Throws std::invalid_argument that names an edge with a rank that does not exist.
Graph graph_of_edges(int ranks, std::span<const int> from, std::span<const int> to);

}  // namespace carpool::topology
