/* SPDX-License-Identifier: MIT */
/* Includes MPI's mpi.h without its C++ bindings. MPI 3 has removed these, but some MPIs still add
 * them, and a program that includes them needs a further library. Included by all headers of
 * Carpool. */
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

/* The handles of Open MPI are pointers; those of MPICH, and of MPIs that are derived from it, are
 * numbers. So a program must use the MPI with which the library was built. */
#if defined(CARPOOL_BUILT_WITH_MPICH) && defined(OPEN_MPI)
#error "Carpool was built with MPICH and this mpi.h is of Open MPI: compile with Carpool's mpicc"
#elif defined(CARPOOL_BUILT_WITH_OPEN_MPI) && !defined(OPEN_MPI)
#error "Carpool was built with Open MPI and this mpi.h is not: compile with Carpool's mpicc"
#endif

#endif
