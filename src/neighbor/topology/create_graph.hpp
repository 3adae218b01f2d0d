// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace carpool::neighbor {

/// One side of a rank's edges as given to Carpool_Dist_graph_create_adjacent.
struct GraphSide {
    const char* degree_name;
    const char* name;
    const char* weights_name;
    int degree;
    const int* ranks;
    const int* weights;  ///< may be MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY if there are no edges
};

/// Arguments of Carpool_Dist_graph_create_adjacent.
struct GraphArguments {
    GraphSide in;
    GraphSide out;
    MPI_Info info;
    int reorder;
};

/// Creates a communicator with a distributed graph topology of MPI. If ranks are reordered, rank r
/// of the new communicator has the edges that rank r of comm gave, whichever process it is.
/// @note Collective over comm.
MPI_Comm create_graph(MPI_Comm comm, const GraphArguments& arguments);

}  // namespace carpool::neighbor
