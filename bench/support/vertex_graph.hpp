// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// The neighbors of each vertex, in ascending order.
using VertexGraph = std::vector<std::set<int>>;

/// Reads a Matrix Market pattern of tests/graphs and adds its transpose, so that neighbors are
/// mutual.
inline VertexGraph vertex_graph(const std::string& name) {
    std::ifstream in(std::filesystem::path(CARPOOL_GRAPHS) / (name + ".mtx"));
    if (!in) throw std::runtime_error("no graph " + name + " in " CARPOOL_GRAPHS);
    std::string line;
    while (in.peek() == '%') std::getline(in, line);
    std::size_t vertices = 0, columns = 0, entries = 0;
    in >> vertices >> columns >> entries;
    VertexGraph graph(vertices);
    for (int i = 0, j = 0; in >> i >> j;) {
        graph[static_cast<std::size_t>(i - 1)].insert(j - 1);
        graph[static_cast<std::size_t>(j - 1)].insert(i - 1);
    }
    return graph;
}

}  // namespace bench
