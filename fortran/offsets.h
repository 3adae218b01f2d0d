/* SPDX-License-Identifier: MIT */
/* Arrays with as many elements as a grid has dimensions, and arrays of offsets, which have so many
 * for each offset. */
#ifndef CARPOOL_FORTRAN_OFFSETS_H
#define CARPOOL_FORTRAN_OFFSETS_H

#include <carpool/mpi.h>

#include <ISO_Fortran_binding.h>

/* Reports to the error handler of comm that the array has less than n elements, as far as its shape
 * is known. Returns the error code. */
int check_list(const char* function, MPI_Comm comm, const char* name, const CFI_cdesc_t* array,
               int n);

/* The same unless the array has room for n offsets of d elements: offset i is array(:, i), or
 * begins with element (i - 1) * d + 1 of an array of one dimension. */
int check_offsets(const char* function, MPI_Comm comm, const char* name, const CFI_cdesc_t* array,
                  int d, int n);

#endif
