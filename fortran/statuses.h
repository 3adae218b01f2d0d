/* SPDX-License-Identifier: MIT */
/* Statuses of Fortran for functions in C. */
#ifndef CARPOOL_FORTRAN_STATUSES_H
#define CARPOOL_FORTRAN_STATUSES_H

#include <carpool/mpi.h>

typedef struct Statuses {
    MPI_Status* c; /* the argument of the call in C */
    MPI_Fint* fortran;
    int count;
    MPI_Status few[16]; /* room for c */
} Statuses;

/* Prepares statuses for a call in C. MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE become those of C.
 */
void statuses_of(Statuses* statuses, MPI_Fint* fortran, int count);

/* Copies the statuses to Fortran, and frees their memory. */
void end_statuses(Statuses* statuses);

#endif
