/* mpi.h without the C++ bindings, which MPI 3 has removed and some MPIs still add to it: a program
 * that includes them needs a further library. Included by all headers of Carpool. */
#ifndef CARPOOL_MPI_H
#define CARPOOL_MPI_H

#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif

#include <mpi.h>

#endif
