/* mpi.h without the C++ bindings, which MPI 3 has removed and some MPIs still add to it: a program
 * that includes them needs a further library. Included by all headers of Carpool. */
#ifndef CARPOOL_MPI_H
#define CARPOOL_MPI_H

#include <carpool/config.h>

#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif

#include <mpi.h>

/* Handles of Open MPI are pointers, those of MPICH and its kin are numbers. */
#if defined(CARPOOL_BUILT_WITH_MPICH) && defined(OPEN_MPI)
#error "Carpool was built with MPICH and this mpi.h is of Open MPI: compile with Carpool's mpicc"
#elif defined(CARPOOL_BUILT_WITH_OPEN_MPI) && !defined(OPEN_MPI)
#error "Carpool was built with Open MPI and this mpi.h is not: compile with Carpool's mpicc"
#endif

#endif
