// SPDX-License-Identifier: MIT
#include "report/note_made.hpp"

#include <mpi.h>

// The functions that make topologies: a report tells their communicators apart by them.

namespace carpool::interpose {
namespace {

/// @param function  the one that has been called
/// @param code      the code of the host's function
/// @param parent    the communicator from which it has made the new one
int noted(const char* function, int code, MPI_Comm parent, const MPI_Comm* comm) {
    if (code == MPI_SUCCESS && *comm != MPI_COMM_NULL) report::note_made(function, parent, *comm);
    return code;
}

}  // namespace

}  // namespace carpool::interpose

using carpool::interpose::noted;

#pragma GCC visibility push(default)
extern "C" {

int carpool_MPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                            int reorder, MPI_Comm* comm_cart) {
    return noted("MPI_Cart_create",
                 PMPI_Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart), comm_old,
                 comm_cart);
}

int carpool_MPI_Graph_create(MPI_Comm comm_old, int nnodes, const int index[], const int edges[],
                             int reorder, MPI_Comm* comm_graph) {
    return noted("MPI_Graph_create",
                 PMPI_Graph_create(comm_old, nnodes, index, edges, reorder, comm_graph), comm_old,
                 comm_graph);
}

int carpool_MPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[],
                                  const int degrees[], const int destinations[],
                                  const int weights[], MPI_Info info, int reorder,
                                  MPI_Comm* comm_dist_graph) {
    return noted("MPI_Dist_graph_create",
                 PMPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info,
                                        reorder, comm_dist_graph),
                 comm_old, comm_dist_graph);
}

int carpool_MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
                                           const int sourceweights[], int outdegree,
                                           const int destinations[], const int destweights[],
                                           MPI_Info info, int reorder, MPI_Comm* comm_dist_graph) {
    return noted(
        "MPI_Dist_graph_create_adjacent",
        PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree,
                                        destinations, destweights, info, reorder, comm_dist_graph),
        comm_old, comm_dist_graph);
}

int carpool_MPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
    return noted("MPI_Cart_sub", PMPI_Cart_sub(comm, remain_dims, newcomm), comm, newcomm);
}

}  // extern "C"
#pragma GCC visibility pop
