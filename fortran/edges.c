#include "edges.h"

#include "binding.h"

int ranks(MPI_Comm comm)
{
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

int in_edges(MPI_Comm comm) { return Carpool_f08_degree(comm, 0); }

int out_edges(MPI_Comm comm) { return Carpool_f08_degree(comm, 1); }
