// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "handle.hpp"
#include "program.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// Sources and targets of this rank.
struct Edges {
    std::vector<int> sources, targets;
};

/// Draws every edge with the same probability; all ranks draw the same edges.
inline Edges random_edges(int rank, int size, double density, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Edges edges;
    for (int from = 0; from < size; ++from)
        for (int to = 0; to < size; ++to) {
            const bool there = static_cast<double>(random() >> 11) * 0x1p-53 < density;
            if (!there || from == to) continue;
            if (from == rank) edges.targets.push_back(to);
            if (to == rank) edges.sources.push_back(from);
        }
    return edges;
}

/// A Moore neighborhood on a torus of all ranks, as a graph without Cartesian information.
inline Edges moore_edges(int rank, int size, int d, int radius) {
    std::vector<int> dims(static_cast<std::size_t>(d));
    check(MPI_Dims_create(size, d, dims.data()));
    const auto shifted = [&](const std::vector<int>& offset, int sign) {
        int there = 0;
        int rest = rank;
        int stride = 1;
        for (std::size_t k = dims.size(); k-- > 0; rest /= dims[k]) {
            const int c = (rest % dims[k] + sign * offset[k] + dims[k] * radius) % dims[k];
            there += c * stride;
            stride *= dims[k];
        }
        return there;
    };
    Edges edges;
    std::vector<int> offset(dims.size(), -radius);
    for (bool more = true; more;) {
        if (std::any_of(offset.begin(), offset.end(), [](int c) { return c != 0; })) {
            edges.targets.push_back(shifted(offset, 1));
            edges.sources.push_back(shifted(offset, -1));
        }
        std::size_t k = offset.size();
        while (k > 0 && offset[k - 1] == radius) offset[--k] = -radius;
        more = k > 0;
        if (more) ++offset[k - 1];
    }
    return edges;
}

inline Edges edges_of(const std::string& name, std::uint64_t seed) {
    int rank = 0, size = 0;
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    check(MPI_Comm_size(MPI_COMM_WORLD, &size));
    const auto words = split(name, ':');
    if (words.size() == 2 && words[0] == "random")
        return random_edges(rank, size, std::stod(words[1]), seed);
    if (words.size() == 3 && words[0] == "moore")
        return moore_edges(rank, size, std::stoi(words[1]), std::stoi(words[2]));
    throw std::runtime_error(name + ", expected random:DENSITY or moore:DIMENSIONS:RADIUS");
}

inline Communicator graph_of(const Edges& e) {
    MPI_Comm graph = MPI_COMM_NULL;
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(e.sources.size()),
                                         e.sources.data(), MPI_UNWEIGHTED,
                                         static_cast<int>(e.targets.size()), e.targets.data(),
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    return Communicator(graph);
}

}  // namespace bench
