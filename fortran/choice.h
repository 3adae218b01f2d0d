/* Choice buffers of Fortran for functions in C. */
#ifndef CARPOOL_FORTRAN_CHOICE_H
#define CARPOOL_FORTRAN_CHOICE_H

#include <carpool/mpi.h>

#include <ISO_Fortran_binding.h>

/* What a call in C is given for a buffer. A section of an array, whose elements do not lie one
 * behind the other, becomes a derived datatype, which need not live longer than the call. */
typedef struct Choice {
    void* address; /* C's, also of MPI_IN_PLACE and MPI_BOTTOM */
    MPI_Count count;
    MPI_Datatype type;
    MPI_Datatype* types; /* of typed() only; null if they are not read */
    int owns_type;
    int error_class; /* MPI_SUCCESS, or what is wrong with it */
    char mistake[200];
    const CFI_cdesc_t* copied; /* null, or the section that address holds a copy of */
    int is_output;
} Choice;

/* Elements of a datatype that are one block, or several of count elements each. */
Choice one_block(const char* name, const CFI_cdesc_t* buffer, MPI_Count count, MPI_Datatype type);
Choice blocks(const char* name, const CFI_cdesc_t* buffer, MPI_Count count, MPI_Datatype type);

/* Blocks at displacements, in extents of the type that comes back. */
Choice displaced(const char* name, const CFI_cdesc_t* buffer, MPI_Datatype type);

/* Blocks of one type each, as many as edges(comm) says; no section. */
Choice typed(const char* name, const CFI_cdesc_t* buffer, const MPI_Fint types[],
             int (*edges)(MPI_Comm), MPI_Comm comm);

/* Refuses a section. */
Choice contiguous(const char* name, const CFI_cdesc_t* buffer);

/* For a blocking call: where it is refused since it is a section, takes a copy without gaps, which
 * end_choice() copies back if that is an output. */
void copy_instead(Choice* choice, const CFI_cdesc_t* buffer, int is_output);

/* Takes the address as it is, of a buffer that is not read. */
Choice as_given(const CFI_cdesc_t* buffer);

/* Must it be looked at, which on other ranks than the root is not so? */
int is_read(const CFI_cdesc_t* buffer, MPI_Comm comm, int root);

/* Reports the first mistake to the error handler of comm; MPI_SUCCESS if there is none. */
int refused1(const char* function, MPI_Comm comm, const Choice* choice);
int refused2(const char* function, MPI_Comm comm, const Choice* first, const Choice* second);

void end_choice(Choice* choice);

#endif
