/* SPDX-License-Identifier: MIT */
#ifndef CARPOOL_PRELOAD_FORTRAN_H
#define CARPOOL_PRELOAD_FORTRAN_H

#include "function.h"

/* The functions of this library that MPI's functions for Fortran may call, and one whose name is
 * null. */
__attribute__((visibility("hidden"))) extern const struct Forwarder functions_for_fortran[];

/* Has MPI's functions for Fortran call those of this library where they call MPI's by their PMPI
 * names: all functions of Open MPI do, and those of MPICH's module mpi_f08 that have no buffer. The
 * others of MPICH call MPI's names, which are this library's anyway. Called again when libraries
 * may have been loaded since. */
__attribute__((visibility("hidden"))) void take_from_fortran(void);

/* Whether the program calls one library's functions for Fortran that start, complete and free
 * requests: a tool may have some of them, which do not come here. */
__attribute__((visibility("hidden"))) int fortran_requests_arrive(void);

#endif
