/* The number of blocks of a call that has one for each rank or neighbor. */
#ifndef CARPOOL_FORTRAN_EDGES_H
#define CARPOOL_FORTRAN_EDGES_H

#include <carpool/mpi.h>

int ranks(MPI_Comm comm);

int in_edges(MPI_Comm comm);
int out_edges(MPI_Comm comm);

#endif
