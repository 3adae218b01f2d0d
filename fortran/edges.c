#include "edges.h"

#include <carpool/carpool.h>

int ranks(MPI_Comm comm)
{
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

/* The degrees from Carpool or MPI; -1 for a communicator that has none, about which the C library
 * reports the error. Open MPI takes some distributed graphs for Cartesian (ompi#14438), so the
 * degrees of a distributed graph are tried first. */
static void find_degrees(MPI_Comm comm, int *in, int *out)
{
    int kind = MPI_UNDEFINED, weighted = 0, rank = 0;
    *in = *out = -1;
    MPI_Topo_test(comm, &kind);
    MPI_Comm_rank(comm, &rank);
    if (kind == MPI_UNDEFINED) return;
    if (Carpool_Cart_neighbor_count(comm, in) == MPI_SUCCESS) {
        *out = *in;
    } else if (kind == MPI_GRAPH) {
        MPI_Graph_neighbors_count(comm, rank, in);
        *out = *in;
    } else if (MPI_Dist_graph_neighbors_count(comm, in, out, &weighted) != MPI_SUCCESS) {
        MPI_Cartdim_get(comm, in);
        *out = *in *= 2;
    }
}

static void degrees(MPI_Comm comm, int *in, int *out)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(comm, &handler);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    find_degrees(comm, in, out);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

int in_edges(MPI_Comm comm)
{
    int in = 0, out = 0;
    degrees(comm, &in, &out);
    return in;
}

int out_edges(MPI_Comm comm)
{
    int in = 0, out = 0;
    degrees(comm, &in, &out);
    return out;
}
