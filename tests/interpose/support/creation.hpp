// SPDX-License-Identifier: MIT
#pragma once

#include "../checks.hpp"
#include "comm_view.hpp"
#include "host_refusals.hpp"
#include "make_collective.hpp"
#include "world.hpp"

#include <mpi.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace interposed {

/// The functions that make communicators, which may be Carpool's, or the host's own.
struct Creators {
    decltype(&MPI_Comm_dup) dup;
    decltype(&MPI_Comm_split) split;
    decltype(&MPI_Cart_create) cart;
    decltype(&MPI_Cart_sub) sub;
    decltype(&MPI_Graph_create) graph;
    decltype(&MPI_Dist_graph_create) dist_graph;
    decltype(&MPI_Dist_graph_create_adjacent) adjacent;

    static const Creators& of(Library library) {
        static const Creators by_name{MPI_Comm_dup,
                                      MPI_Comm_split,
                                      MPI_Cart_create,
                                      MPI_Cart_sub,
                                      MPI_Graph_create,
                                      MPI_Dist_graph_create,
                                      MPI_Dist_graph_create_adjacent},
            host{PMPI_Comm_dup,
                 PMPI_Comm_split,
                 PMPI_Cart_create,
                 PMPI_Cart_sub,
                 PMPI_Graph_create,
                 PMPI_Dist_graph_create,
                 PMPI_Dist_graph_create_adjacent};
        return library == Library::host ? host : by_name;
    }
};

/// A call that makes a communicator: the right one, and wrong ones that hosts refuse where they are
/// made.
struct Creation {
    using Make = std::function<int(const Creators&, MPI_Comm*)>;
    struct Wrong {
        const char* what;
        Make make;
    };

    std::string name;
    CommView view;  ///< without its communicator
    Make right;
    std::vector<Wrong> wrong;
};

inline Creation duplicate(const CommView& of) {
    const MPI_Comm from = of.comm;
    return {"MPI_Comm_dup",
            of,
            [=](const Creators& by, MPI_Comm* made) { return by.dup(from, made); },
            {{"null for newcomm", [=](auto& by, auto*) { return by.dup(from, nullptr); }},
             {"a null communicator",
              [=](auto& by, auto* made) { return by.dup(MPI_COMM_NULL, made); }}}};
}

/// Every other rank, in reverse order.
inline Creation half(int rank, int ranks) {
    const int color = rank % 2, mine = (ranks + 1 - color) / 2;
    return {"MPI_Comm_split",
            {MPI_COMM_NULL, mine - 1 - rank / 2, mine, false, false, {}, {}},
            [=](const Creators& by, MPI_Comm* made) {
                return by.split(MPI_COMM_WORLD, color, -rank, made);
            },
            {{"null for newcomm",
              [=](auto& by, auto*) { return by.split(MPI_COMM_WORLD, color, -rank, nullptr); }}}};
}

/// A torus or mesh of up to three dimensions. On short tori, where both neighbors along a dimension
/// are one rank, hosts give other blocks than MPI says.
inline Creation grid(Random& random, int rank, int ranks) {
    const int d = 1 + random.below(3);
    std::array<int, 3> dims{}, periods{}, coordinates{};
    MPI_Dims_create(ranks, d, dims.data());
    for (std::size_t k = 0; k < 3; ++k) periods[k] = random.below(2) == 0 && dims[k] > 2;
    CommView view{MPI_COMM_NULL, rank, ranks, true, true, {}, {}};
    for (int k = d, rest = rank; k-- > 0; rest /= dims[std::size_t(k)])
        coordinates[std::size_t(k)] = rest % dims[std::size_t(k)];
    for (std::size_t k = 0; k < std::size_t(d); ++k)
        for (const int step : {-1, 1}) {
            auto there = coordinates;
            there[k] += step;
            const bool inside = there[k] >= 0 && there[k] < dims[k];
            there[k] = (there[k] + dims[k]) % dims[k];
            int peer = 0;
            for (std::size_t i = 0; i < std::size_t(d); ++i) peer = peer * dims[i] + there[i];
            view.sources.push_back(inside || periods[k] != 0 ? peer : MPI_PROC_NULL);
        }
    view.targets = view.sources;
    const auto create = [=](const Creators& by, MPI_Comm comm, int number, const int* extents,
                            MPI_Comm* made) {
        return by.cart(comm, number, extents, periods.data(), 0, made);
    };
    auto too_large = dims;
    too_large[0] = ranks + 1;
    return {
        "MPI_Cart_create",
        view,
        [=](const Creators& by, MPI_Comm* made) {
            return create(by, MPI_COMM_WORLD, d, dims.data(), made);
        },
        {{"-1 dimensions",
          [=](auto& by, auto* made) { return create(by, MPI_COMM_WORLD, -1, dims.data(), made); }},
         {"more places than ranks",
          [=](auto& by, auto* made) {
              return create(by, MPI_COMM_WORLD, d, too_large.data(), made);
          }},
         {"null for dims",
          [=](auto& by, auto* made) { return create(by, MPI_COMM_WORLD, d, nullptr, made); }},
         {"a null communicator",
          [=](auto& by, auto* made) { return create(by, MPI_COMM_NULL, d, dims.data(), made); }}}};
}

/// Edges between random ranks; no two from the same to the same.
/// @param symmetric  whether each edge has one in the other direction
inline CommView random_edges(Random& random, int rank, int ranks, bool symmetric) {
    CommView view{MPI_COMM_NULL, rank, ranks, true, false, {}, {}};
    const int sparse = 1 + random.below(4);
    for (int from = 0; from < ranks; ++from)
        for (int to = symmetric ? from : 0; to < ranks; ++to) {
            if (random.below(sparse) != 0) continue;
            const bool back = symmetric && from != to;
            if (from == rank || (back && to == rank))
                view.targets.push_back(from == rank ? to : from);
            if (to == rank || (back && from == rank))
                view.sources.push_back(to == rank ? from : to);
        }
    return view;
}

inline Creation adjacent_graph(Random& random, int rank, int ranks) {
    const auto view = random_edges(random, rank, ranks, false);
    const auto create = [view](const Creators& by, int in, const int* sources, int out,
                               const int* targets, MPI_Comm* made) {
        return by.adjacent(MPI_COMM_WORLD, in, sources, MPI_UNWEIGHTED, out, targets,
                           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, made);
    };
    Creation creation{
        "MPI_Dist_graph_create_adjacent",
        view,
        [=](const Creators& by, MPI_Comm* made) {
            return create(by, view.in(), view.sources.data(), view.out(), view.targets.data(),
                          made);
        },
        {{"an indegree of -1",
          [=](auto& by, auto* made) {
              return create(by, -1, view.sources.data(), view.out(), view.targets.data(), made);
          }},
         {"an outdegree of -1",
          [=](auto& by, auto* made) {
              return create(by, view.in(), view.sources.data(), -1, view.targets.data(), made);
          }},
         {"null for sources",
          [=](auto& by, auto* made) {
              return create(by, 1, nullptr, view.out(), view.targets.data(), made);
          }},
         {"null for newcomm", [=](auto& by, auto*) {
              return create(by, view.in(), view.sources.data(), view.out(), view.targets.data(),
                            nullptr);
          }}}};
    if (is_open_mpi)  // MPICH looks at the ranks only when it has begun to make the communicator
        creation.wrong.push_back({"a source beyond the last rank", [=](auto& by, auto* made) {
                                      return create(by, 1, &view.ranks, 0, nullptr, made);
                                  }});
    return creation;
}

/// A ring of which each rank names the edge to the next one; so neighbors have an order.
inline Creation distributed_ring(int rank, int ranks) {
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    const auto create = [=](const Creators& by, int n, const int* sources, MPI_Comm* made) {
        const int degree = 1;
        return by.dist_graph(MPI_COMM_WORLD, n, sources, &degree, &next, MPI_UNWEIGHTED,
                             MPI_INFO_NULL, 0, made);
    };
    return {
        "MPI_Dist_graph_create",
        {MPI_COMM_NULL, rank, ranks, true, false, {before}, {next}},
        [=](const Creators& by, MPI_Comm* made) { return create(by, 1, &rank, made); },
        {{"-1 sources", [=](auto& by, auto* made) { return create(by, -1, &rank, made); }},
         {"null for sources", [=](auto& by, auto* made) { return create(by, 1, nullptr, made); }}}};
}

/// A ring of which all ranks know the whole graph: the next rank, then the one before.
inline Creation graph_ring(int rank, int ranks) {
    const int degree = ranks > 2 ? 2 : 1;
    std::vector<int> index, edges;
    for (int from = 0; from < ranks; ++from) {
        index.push_back(degree * (from + 1));
        edges.push_back((from + 1) % ranks);
        if (degree == 2) edges.push_back((from + ranks - 1) % ranks);
    }
    const std::vector<int> own(edges.begin() + rank * degree, edges.begin() + (rank + 1) * degree);
    const auto create = [=](const Creators& by, int nodes, const int* ends, MPI_Comm* made) {
        return by.graph(MPI_COMM_WORLD, nodes, ends, edges.data(), 0, made);
    };
    return {
        "MPI_Graph_create",
        {MPI_COMM_NULL, rank, ranks, true, false, own, own},
        [=](const Creators& by, MPI_Comm* made) { return create(by, ranks, index.data(), made); },
        {{"more nodes than ranks",
          [=](auto& by, auto* made) { return create(by, ranks + 1, index.data(), made); }},
         {"null for index",
          [=](auto& by, auto* made) { return create(by, ranks, nullptr, made); }}}};
}

/// The same grid again: all its dimensions remain.
inline Creation whole_of(const CommView& grid) {
    const auto create = [](const Creators& by, MPI_Comm comm, MPI_Comm* made) {
        const std::array all{1, 1, 1};
        return by.sub(comm, all.data(), made);
    };
    return {"MPI_Cart_sub",
            grid,
            [=, comm = grid.comm](const Creators& by, MPI_Comm* made) {
                return create(by, comm, made);
            },
            {{"a communicator without topology",
              [=](auto& by, auto* made) { return create(by, MPI_COMM_WORLD, made); }},
             {"a null communicator",
              [=](auto& by, auto* made) { return create(by, MPI_COMM_NULL, made); }}}};
}

inline Creation any_topology(Random& random) {
    const int rank = rank_in_world(), ranks = ranks_of_world();
    switch (random.below(6)) {
        case 0:
            return distributed_ring(rank, ranks);
        case 1:
            return graph_ring(rank, ranks);
        case 2:
        case 3:
            return adjacent_graph(random, rank, ranks);
        default:
            return grid(random, rank, ranks);
    }
}

inline Creation any_creation(Random& random) {
    const int rank = rank_in_world(), ranks = ranks_of_world();
    switch (random.below(6)) {
        case 0:
            return duplicate({MPI_COMM_WORLD, rank, ranks, false, false, {}, {}});
        case 1:
            return half(rank, ranks);
        default:
            return any_topology(random);
    }
}

}  // namespace interposed
