/* SPDX-License-Identifier: MIT */
/* The blocks of a buffer, as the arguments of a call describe them. */
#ifndef CARPOOL_FORTRAN_BLOCKS_H
#define CARPOOL_FORTRAN_BLOCKS_H

#include "peers.h"

#include <carpool/mpi.h>

#include <ISO_Fortran_binding.h>
#include <stddef.h>

/* An argument that is one integer for all blocks, or an array with one for each. */
typedef struct Integers {
    const char* name; /* null if the call has no such argument */
    const void* first;
    size_t bytes; /* of one integer */
    int is_array;
} Integers;

#define INTEGER(argument) {#argument, argument, sizeof *argument, 0}
#define INTEGERS(argument) {#argument, argument, sizeof *argument, 1}

typedef struct Blocks {
    const char* name; /* of the buffer */
    const CFI_cdesc_t* buffer;
    Peers peers;
    Integers counts;
    MPI_Datatype type;
    const MPI_Fint* types; /* null, or a datatype for each block */
    Integers displs; /* in bytes if each block has a datatype, else in extents of the one; without
                        displacements blocks lie one behind the other */
} Blocks;

MPI_Count count_of(const Blocks* blocks, int i);

/* Bytes of a buffer, of which the first one has the number 0. */
typedef struct Span {
    double first, behind; /* which no count lets overflow */
} Span;

typedef enum Fit { no_bytes, inside, outside } Fit;

/* Says whether all blocks lie in the elements of the buffer, which is a section, as if these lay
 * one behind the other. If a block does not, *i becomes its index, and *span its bytes. A block
 * that the C library refuses, or that has no peer, has no bytes. */
Fit fit_of(const Blocks* blocks, int* i, Span* span);

/* Writes that these bytes of block i are outside, with indices and bytes from 1 on, as Fortran
 * counts. Returns the class of this mistake: MPI_ERR_TYPE if the datatype is not one element of the
 * array, else MPI_ERR_COUNT. */
int describe_outside(char text[], size_t size, const Blocks* blocks, int i, Span span);

#endif
