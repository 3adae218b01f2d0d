/* Sections of Fortran's arrays, as their descriptors say where the elements lie. */
#ifndef CARPOOL_FORTRAN_SECTION_H
#define CARPOOL_FORTRAN_SECTION_H

#include <carpool/mpi.h>

#include <ISO_Fortran_binding.h>

int is_contiguous(const CFI_cdesc_t* array);

/* Elements of the first dimensions. */
CFI_index_t slab(const CFI_cdesc_t* array, int dimensions);

/* Is the way from one element to the next the same in dimension `first` and all that follow? That
 * way in bytes, or 0. */
CFI_index_t common_step(const CFI_cdesc_t* array, int first);

/* The datatype, committed, of the first n elements of the first `dimensions` dimensions of an
 * array, in its order, from one of an element; of that extent, unless it is 0. Returns an error
 * class. */
int section_type(const CFI_cdesc_t* array, int dimensions, CFI_index_t n, MPI_Datatype element,
                 CFI_index_t extent, MPI_Datatype* type);

/* A copy without gaps, which the caller frees; null if there is no memory for it. */
void* dense_copy(const CFI_cdesc_t* array);
void copy_back(const CFI_cdesc_t* array, void* dense);

#endif
