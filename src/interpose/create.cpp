#include "api/neighborhood.hpp"
#include "interpose/comm_use.hpp"
#include "interpose/forms.hpp"
#include "interpose/host_calls.hpp"
#include "interpose/settings.hpp"
#include "mpi/error.hpp"
#include "mpi/library.hpp"
#include "neighbor/edge_ends.hpp"
#include "neighbor/mpi_topology.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

// Where MPI makes topologies, all ranks may wait. So here ranks find out whether both ends of each
// edge list it, and with Open MPI a communicator is prepared for nonblocking calls.

namespace carpool::interpose {
namespace {

std::atomic<int> topologies = 0;

/// Whether this rank wants a new communicator to be prepared: it is one of the first, or calls on
/// others would have been taken. That takes as long as a hundred calls of the host.
bool wants_preparation() {
    constexpr int few = 32;
    return mpi::is_open_mpi() &&
           (topologies++ < few || take_unprepared() >= Settings::of_process().after);
}

std::uint64_t balance_of(MPI_Comm comm) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    const auto edges = neighbor::read_topology(comm).edges;
    return neighbor::balance({rank, &edges, std::vector<std::int64_t>(edges.out.size()),
                              std::vector<std::int64_t>(edges.in.size())});
}

/// Prepares the communicator by a call that sends nothing.
void prepare(MPI_Comm comm, CommUse& use) {
    const Called called{"MPI_Dist_graph_create_adjacent", MpiOperation::neighbor_alltoall};
    const auto call = api::neighbor_alltoall(nullptr, 0, MPI_BYTE, nullptr, 0, MPI_BYTE, comm);
    if (!called_and_ended(called, call)) use.leave_neighborhoods_to_host();
}

/// @note Collective over comm, a new communicator of several ranks.
void examine(MPI_Comm comm, CommUse& use) {
    std::array<std::uint64_t, 2> own{0, wants_preparation() ? 1u : 0u}, sums{};
    try {
        if (!use.is_cartesian()) own[0] = balance_of(comm);
    } catch (const mpi::Error&) {
        own[0] = 1;  // the call that prepares finds out more
    }
    if (use.is_cartesian() && !mpi::is_open_mpi()) return;
    PMPI_Allreduce(own.data(), sums.data(), 2, MPI_UINT64_T, MPI_SUM, comm);
    if (sums[0] != 0 || sums[1] != 0) prepare(comm, use);
}

/// @param code  of the host's function
int examined(int code, const MPI_Comm* comm) {
    if (code != MPI_SUCCESS || *comm == MPI_COMM_NULL || !Settings::of_process().asks_neighbors())
        return code;
    auto* const use = CommUse::of(*comm);
    if (use != nullptr && use->takes_init(MpiOperation::neighbor_alltoall)) examine(*comm, *use);
    return code;
}

}  // namespace

}  // namespace carpool::interpose

using carpool::interpose::examined;

#pragma GCC visibility push(default)
extern "C" {

int carpool_MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                            int reorder, MPI_Comm* comm_cart) {
    return examined(PMPI_Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart),
                    comm_cart);
}

int carpool_MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                             int reorder, MPI_Comm* comm_graph) {
    return examined(PMPI_Graph_create(comm_old, nnodes, index, edges, reorder, comm_graph),
                    comm_graph);
}

int carpool_MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[],
                                  const int degrees[], const int destinations[],
                                  const int weights[], MPI_Info info, int reorder,
                                  MPI_Comm* comm_dist_graph) {
    return examined(PMPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights,
                                           info, reorder, comm_dist_graph),
                    comm_dist_graph);
}

int carpool_MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                           const int sourceweights[], int outdegree,
                                           const int destinations[], const int destweights[],
                                           MPI_Info info, int reorder, MPI_Comm* comm_dist_graph) {
    return examined(
        PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree,
                                        destinations, destweights, info, reorder, comm_dist_graph),
        comm_dist_graph);
}

}  // extern "C"
#pragma GCC visibility pop
