#include "api/guarded.hpp"
#include "api/neighborhood.hpp"
#include "interpose/comm_use.hpp"
#include "interpose/host_calls.hpp"
#include "interpose/settings.hpp"
#include "mpi/error.hpp"
#include "mpi/library.hpp"
#include "neighbor/edge_ends.hpp"
#include "neighbor/mpi_topology.hpp"

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

// A function that makes a topology may wait for all ranks. So here the ranks check that both ends
// list each edge, and on Open MPI they prepare the communicator for nonblocking calls.

namespace carpool::interpose {
namespace {

std::atomic<int> topologies = 0;

/// Whether this rank wants a new communicator to be prepared: it is one of the first, or calls on
/// others would have been taken. Preparing takes as long as a hundred calls of the host.
bool wants_preparation() {
    constexpr int few = 32;
    return mpi::is_open_mpi() &&
           (topologies++ < few || take_unprepared() >= Settings::of_process().after);
}

std::uint64_t balance_of(MPI_Comm comm) {
    int rank = 0;
    mpi::check(PMPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    const auto edges = neighbor::read_topology(comm).edges;
    return neighbor::balance({rank, &edges, std::vector<std::int64_t>(edges.out.size()),
                              std::vector<std::int64_t>(edges.in.size())});
}

/// Whether the ends of an edge differ, or some rank wants the communicator to be prepared.
/// @note Collective
bool must_prepare(MPI_Comm comm, bool cartesian) {
    std::array<std::uint64_t, 2> own{0, wants_preparation() ? 1u : 0u}, sums{};
    try {
        if (!cartesian) own[0] = balance_of(comm);
    } catch (const std::exception&) {
        own[0] = 1;  // preparing finds out more
    }
    mpi::check(PMPI_Allreduce(own.data(), sums.data(), 2, MPI_UINT64_T, MPI_SUM, comm),
               "MPI_Allreduce");
    return sums[0] != 0 || sums[1] != 0;
}

/// Prepares the communicator by a call that sends nothing. If that is refused, which all ranks find
/// out, the report says why.
void prepare(MPI_Comm comm, CommUse& use) {
    const auto call = api::neighbor_alltoall(nullptr, 0, MPI_BYTE, nullptr, 0, MPI_BYTE, comm);
    try {
        call::wait_for(*once(call, call::ReturnsAt::end));
    } catch (const mpi::Error& error) {
        use.leave_neighborhoods_to_host();
        add_host_call("making a topology", error.what());
    }
}

/// @param function  the one that has been called
/// @param code      the code of the host's function
int examined(const char* function, int code, const MPI_Comm* comm) {
    if (code != MPI_SUCCESS || *comm == MPI_COMM_NULL || !Settings::of_process().asks_neighbors())
        return code;
    auto* const use = CommUse::of(*comm);
    if (use == nullptr || !use->may_take(MpiOperation::neighbor_alltoall) ||
        (use->is_cartesian() && !mpi::is_open_mpi()))
        return code;
    return api::reported(function, *comm, [&] {
        if (must_prepare(*comm, use->is_cartesian())) prepare(*comm, *use);
    });
}

}  // namespace

}  // namespace carpool::interpose

using carpool::interpose::examined;

#pragma GCC visibility push(default)
extern "C" {

int carpool_MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                            int reorder, MPI_Comm* comm_cart) {
    return examined("MPI_Cart_create",
                    PMPI_Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart),
                    comm_cart);
}

int carpool_MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                             int reorder, MPI_Comm* comm_graph) {
    return examined("MPI_Graph_create",
                    PMPI_Graph_create(comm_old, nnodes, index, edges, reorder, comm_graph),
                    comm_graph);
}

int carpool_MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[],
                                  const int degrees[], const int destinations[],
                                  const int weights[], MPI_Info info, int reorder,
                                  MPI_Comm* comm_dist_graph) {
    return examined("MPI_Dist_graph_create",
                    PMPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights,
                                           info, reorder, comm_dist_graph),
                    comm_dist_graph);
}

int carpool_MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                           const int sourceweights[], int outdegree,
                                           const int destinations[], const int destweights[],
                                           MPI_Info info, int reorder, MPI_Comm* comm_dist_graph) {
    return examined(
        "MPI_Dist_graph_create_adjacent",
        PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree,
                                        destinations, destweights, info, reorder, comm_dist_graph),
        comm_dist_graph);
}

int carpool_MPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
    return examined("MPI_Cart_sub", PMPI_Cart_sub(comm, remain_dims, newcomm), newcomm);
}

}  // extern "C"
#pragma GCC visibility pop
