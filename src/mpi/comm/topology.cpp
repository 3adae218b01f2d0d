// SPDX-License-Identifier: MIT
#include "mpi/comm/topology.hpp"

#include "mpi/error.hpp"

#include <cstddef>
#include <vector>

namespace carpool::mpi {
namespace {

/// Open MPI takes a distributed graph over a Cartesian communicator for Cartesian (ompi#14438), and
/// aborts the process at the next inquiry about dimensions.
bool is_distributed_graph(MPI_Comm comm) {
    const ReturnedErrors returned(comm);
    int in = 0;
    int out = 0;
    int weighted = 0;
    return MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted) == MPI_SUCCESS;
}

}  // namespace

int kind_of_topology(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    check(MPI_Topo_test(comm, &kind), "MPI_Topo_test");
    return kind == MPI_CART && is_distributed_graph(comm) ? MPI_DIST_GRAPH : kind;
}

topology::Grid grid_of(MPI_Comm comm) {
    int d = 0;
    check(MPI_Cartdim_get(comm, &d), "MPI_Cartdim_get");
    const auto length = static_cast<std::size_t>(d);
    std::vector<int> dims(length);
    std::vector<int> periods(length);
    std::vector<int> coordinates(length);
    check(MPI_Cart_get(comm, d, dims.data(), periods.data(), coordinates.data()), "MPI_Cart_get");
    return {dims, {periods.begin(), periods.end()}};
}

}  // namespace carpool::mpi
