#pragma once

#include "check.hpp"
#include "handle.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace bench::changing {

/// All ranks on a torus of so many dimensions.
inline Communicator torus(int dimensions) {
    int ranks = 0;
    check(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    const auto d = static_cast<std::size_t>(dimensions);
    std::vector<int> dims(d, 0), periods(d, 1);
    check(MPI_Dims_create(ranks, dimensions, dims.data()));
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims.data(), periods.data(), 0, &comm));
    return Communicator(comm);
}

/// Ranks by all offsets of 0 and ±1 but the zero vector, and by the opposite ones.
struct Neighbors {
    std::vector<int> targets, sources;
};

inline Neighbors around(MPI_Comm cart, int dimensions) {
    int rank = 0;
    check(MPI_Comm_rank(cart, &rank));
    std::vector<int> here(static_cast<std::size_t>(dimensions));
    check(MPI_Cart_coords(cart, rank, dimensions, here.data()));
    int all = 1;
    for (int d = 0; d < dimensions; ++d) all *= 3;
    Neighbors neighbors;
    for (int number = 0; number < all; ++number) {
        if (number == all / 2) continue;
        auto to = here, from = here;
        for (int d = 0, rest = number; d < dimensions; ++d, rest /= 3) {
            to[static_cast<std::size_t>(d)] += rest % 3 - 1;
            from[static_cast<std::size_t>(d)] -= rest % 3 - 1;
        }
        check(MPI_Cart_rank(cart, to.data(), &neighbors.targets.emplace_back()));
        check(MPI_Cart_rank(cart, from.data(), &neighbors.sources.emplace_back()));
    }
    return neighbors;
}

/// Up, down, left and right on a torus of two dimensions.
inline Neighbors beside(MPI_Comm cart) {
    Neighbors neighbors;
    for (int d = 0; d < 2; ++d) {
        int before = 0, behind = 0;
        check(MPI_Cart_shift(cart, d, 1, &before, &behind));
        neighbors.targets.insert(neighbors.targets.end(), {before, behind});
        neighbors.sources.insert(neighbors.sources.end(), {behind, before});
    }
    return neighbors;
}

inline Communicator graph_of(const Neighbors& n) {
    MPI_Comm graph = MPI_COMM_NULL;
    const auto degree = static_cast<int>(n.targets.size());
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, n.sources.data(), MPI_UNWEIGHTED,
                                         degree, n.targets.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                         &graph));
    return Communicator(graph);
}

}  // namespace bench::changing
