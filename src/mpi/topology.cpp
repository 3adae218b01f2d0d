#include "mpi/topology.hpp"

#include "mpi/error.hpp"

#include <cstddef>
#include <vector>

namespace carpool::mpi {
namespace {

/// Open MPI takes a distributed graph over a Cartesian communicator for Cartesian (ompi#14438), and
/// aborts the process at the next inquiry about dimensions.
bool is_distributed_graph(MPI_Comm comm) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    check(MPI_Comm_get_errhandler(comm, &handler), "MPI_Comm_get_errhandler");
    check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    int in = 0;
    int out = 0;
    int weighted = 0;
    const int code = MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    check(MPI_Comm_set_errhandler(comm, handler), "MPI_Comm_set_errhandler");
    check(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
    return code == MPI_SUCCESS;
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
