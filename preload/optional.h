/* SPDX-License-Identifier: MIT */
#ifndef CARPOOL_PRELOAD_OPTIONAL_H
#define CARPOOL_PRELOAD_OPTIONAL_H

#include "function.h"

/* Functions that not every MPI has: those of MPI 4 and later, and macros of some. A program may
 * look which ones there are (mpi4py does), so this library must seem to have those that the MPI
 * has, and no others. Ends with one whose name is null. */
__attribute__((visibility("hidden"))) extern const struct Forwarder optional_functions[];

/* The address of MPI's function of a name, or null. */
typedef void* InMpi(const char* name);

/* Hides those that the MPI does not have; all, if in_mpi is null. Called when the program has been
 * linked and before it runs. */
__attribute__((visibility("hidden"))) void hide_optional(InMpi* in_mpi);

/* Where MPI was loaded after hide_optional(0): shows those that it has. Calls that were linked
 * meanwhile are redirected to this library. */
__attribute__((visibility("hidden"))) void show_optional(InMpi* in_mpi);

#endif
