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
    const int* weights;  ///< or MPI_UNWEIGHTED, or MPI_WEIGHTS_EMPTY where there are no edges
};

/// Arguments of Carpool_Dist_graph_create_adjacent.
struct GraphArguments {
    GraphSide in;
    GraphSide out;
    MPI_Info info;
    int reorder;
};

/// A communicator with a distributed graph of MPI. Where ranks are reordered, rank r of it has the
/// edges that rank r of comm has given, whichever process it is.
/// @note Collective over comm.
MPI_Comm create_graph(MPI_Comm comm, const GraphArguments& arguments);

}  // namespace carpool::neighbor
