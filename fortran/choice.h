/* Choice buffers of Fortran for functions in C. */
#ifndef CARPOOL_FORTRAN_CHOICE_H
#define CARPOOL_FORTRAN_CHOICE_H

#include <carpool/mpi.h>

#include <ISO_Fortran_binding.h>

/* The arguments of a call in C for a choice buffer. A section of an array whose elements do not lie
 * one behind the other becomes a derived datatype, which need not live longer than the call. */
typedef struct Choice {
    void* address; /* for C; the constants MPI_IN_PLACE and MPI_BOTTOM are converted */
    MPI_Count count;
    MPI_Datatype type;
    MPI_Datatype* types; /* set by typed() only; null if they are not read */
    int owns_type;
    int error_class; /* MPI_SUCCESS, or the class of the mistake */
    char mistake[200];
    const CFI_cdesc_t* copied; /* null, or the section of which address has a copy */
    int is_output;
} Choice;

/* A buffer of one block of count elements, and a buffer of several blocks of count elements each.
 */
Choice one_block(const char* name, const CFI_cdesc_t* buffer, MPI_Count count, MPI_Datatype type);
Choice blocks(const char* name, const CFI_cdesc_t* buffer, MPI_Count count, MPI_Datatype type);

/* A buffer of blocks at displacements, which are in extents of the returned type. */
Choice displaced(const char* name, const CFI_cdesc_t* buffer, MPI_Datatype type);

/* A buffer of edges(comm) blocks with a type each. A section is a mistake. */
Choice typed(const char* name, const CFI_cdesc_t* buffer, const MPI_Fint types[],
             int (*edges)(MPI_Comm), MPI_Comm comm);

/* A buffer for which a section is a mistake. */
Choice contiguous(const char* name, const CFI_cdesc_t* buffer);

/* For a blocking call: if the section is a mistake, takes a copy without gaps instead, which
 * end_choice() copies back to an output. */
void copy_instead(Choice* choice, const CFI_cdesc_t* buffer, int is_output);

/* A buffer that is not read: only its address is taken. */
Choice as_given(const CFI_cdesc_t* buffer);

/* True if the call reads the description of the buffer: on the root, or if it has no gaps anyway.
 */
int is_read(const CFI_cdesc_t* buffer, MPI_Comm comm, int root);

/* Reports the first mistake to the error handler of comm; MPI_SUCCESS if there is none. */
int refused1(const char* function, MPI_Comm comm, const Choice* choice);
int refused2(const char* function, MPI_Comm comm, const Choice* first, const Choice* second);

void end_choice(Choice* choice);

#endif
