/* SPDX-License-Identifier: MIT */
/* The addresses of the constants of MPI in Fortran that are recognised by their address. */
#ifndef CARPOOL_FORTRAN_CONSTANTS_H
#define CARPOOL_FORTRAN_CONSTANTS_H

typedef struct Constants {
    const void* bottom;
    const void* in_place;
    const void* unweighted;
    const void* weights_empty;
    const void* status_ignore;
    const void* statuses_ignore;
    int status_size; /* of type(MPI_Status), in integers: the same as of a status in `use mpi` */
} Constants;

const Constants* constants(void);

/* Convert MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY of Fortran to those of C; other arrays stay. */
const int* weights_in(const int* given);
int* weights_out(int* given);

#endif
