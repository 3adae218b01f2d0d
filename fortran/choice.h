/* SPDX-License-Identifier: MIT */
/* Choice buffers of Fortran for functions in C. */
#ifndef CARPOOL_FORTRAN_CHOICE_H
#define CARPOOL_FORTRAN_CHOICE_H

#include "blocks.h"

#include <carpool/mpi.h>

#include <ISO_Fortran_binding.h>

/* The arguments of a call in C for a choice buffer. A section of an array whose elements do not lie
 * one behind the other becomes a derived datatype, which need not live longer than the call. */
typedef struct Choice {
    void* address; /* for C; the constants MPI_IN_PLACE and MPI_BOTTOM are converted */
    MPI_Count count;
    MPI_Datatype type;
    MPI_Datatype* types; /* set by typed_blocks() only; null if they are not read */
    int owns_type;
    int error_class;           /* MPI_SUCCESS, or the class of the mistake */
    int copy_will_do;          /* the mistake is only that a section has no datatype */
    const CFI_cdesc_t* copied; /* null, or the section of which address has a copy */
    int is_output;
    char mistake[300];
    MPI_Datatype few_types[16]; /* room for types */
} Choice;

/* A buffer of one block, and a buffer of blocks that have one count and lie one behind the other.
 * In these functions and the next three, a section that has no room for a block is a mistake. */
void one_block(Choice* choice, const Blocks* blocks);
void equal_blocks(Choice* choice, const Blocks* blocks);

/* A buffer of blocks at displacements, which are in extents of the returned type. */
void displaced_blocks(Choice* choice, const Blocks* blocks);

/* A buffer of blocks with a datatype each, and a buffer of summands: a section is a mistake. */
void typed_blocks(Choice* choice, const Blocks* blocks);
void summands(Choice* choice, const Blocks* blocks);

/* A buffer for which a section is a mistake, whatever its blocks. */
void contiguous(Choice* choice, const char* name, const CFI_cdesc_t* buffer);

/* For a blocking call: if a section has no datatype, takes a copy without gaps instead, which
 * end_choice() copies back to an output. */
void copy_instead(Choice* choice, const CFI_cdesc_t* buffer, int is_output);

/* A buffer that is not read: only its address is taken. */
void as_given(Choice* choice, const CFI_cdesc_t* buffer);

/* True if the call reads the description of the buffer: on the root, or if it has no gaps anyway.
 */
int is_read(const CFI_cdesc_t* buffer, MPI_Comm comm, int root);

/* True if the first rank of an exscan reads the buffer, as all others do: only in place. */
int is_read_in_exscan(const CFI_cdesc_t* recvbuf, MPI_Comm comm, const Choice* sendbuf);

int is_in_place(const Choice* choice);

/* Reports the first mistake to the error handler of comm; MPI_SUCCESS if there is none. */
int refused1(const char* function, MPI_Comm comm, const Choice* choice);
int refused2(const char* function, MPI_Comm comm, const Choice* first, const Choice* second);

void end_choice(Choice* choice);

#endif
