// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"
#include "handle.hpp"

#include <mpi.h>

#include <vector>

namespace bench {

/// What this rank sends to its neighbors and receives from them, in doubles, as arguments of
/// alltoallv.
struct SparseHalo {
    std::vector<int> neighbors, sendcounts, sdispls, recvcounts, rdispls;
    std::vector<int> sent;  ///< this rank's entries, neighbor by neighbor
    std::vector<double> out;
};

/// A graph communicator on which the ranks of a halo are neighbors.
inline Communicator graph_of(const SparseHalo& halo) {
    MPI_Comm graph = MPI_COMM_NULL;
    const auto degree = static_cast<int>(halo.neighbors.size());
    check(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, halo.neighbors.data(),
                                         MPI_UNWEIGHTED, degree, halo.neighbors.data(),
                                         MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    return Communicator(graph);
}

}  // namespace bench
