/* SPDX-License-Identifier: MIT */
/* Sections of arrays of Fortran, which are described by descriptors. */
#ifndef CARPOOL_FORTRAN_SECTION_H
#define CARPOOL_FORTRAN_SECTION_H

#include <carpool/mpi.h>

#include <ISO_Fortran_binding.h>

int is_contiguous(const CFI_cdesc_t* array);

/* True if a call may use no more than the elements of an array: if there are gaps between them, or
 * none of them. Behind other arrays more may follow, since programs pass the first element alone.
 */
int is_bounded(const CFI_cdesc_t* array);

/* The number of elements in the first dimensions. */
CFI_index_t slab(const CFI_cdesc_t* array, int dimensions);

/* The distance in bytes from an element to the next, if it is the same throughout dimension `first`
 * and all later dimensions; else 0. */
CFI_index_t common_step(const CFI_cdesc_t* array, int first);

/* Makes a committed datatype of the first n elements of the first `dimensions` dimensions of an
 * array, in its order, from the datatype of an element. The datatype gets the given extent, unless
 * that is 0. Returns an error class. */
int section_type(const CFI_cdesc_t* array, int dimensions, CFI_index_t n, MPI_Datatype element,
                 CFI_index_t extent, MPI_Datatype* type);

/* A copy without gaps, which the caller frees; null if there is no memory for it. */
void* dense_copy(const CFI_cdesc_t* array);
void copy_back(const CFI_cdesc_t* array, void* dense);

#endif
