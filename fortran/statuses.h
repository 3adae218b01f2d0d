/* Statuses of Fortran for functions in C. */
#ifndef CARPOOL_FORTRAN_STATUSES_H
#define CARPOOL_FORTRAN_STATUSES_H

#include <carpool/mpi.h>

typedef struct Statuses {
    MPI_Status* c; /* what a call in C is given */
    MPI_Fint* fortran;
    int count;
    MPI_Status one;
} Statuses;

/* Of MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE, C's; the memory is that of *statuses for one. */
void statuses_of(Statuses* statuses, MPI_Fint* fortran, int count);

/* Copies them to Fortran. */
void end_statuses(Statuses* statuses);

#endif
