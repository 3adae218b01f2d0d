/* SPDX-License-Identifier: MIT */
/* Functions of libcarpool for the bindings alone, which no public header declares. */
#ifndef CARPOOL_FORTRAN_BINDING_H
#define CARPOOL_FORTRAN_BINDING_H

#include <carpool/mpi.h>

/* Reports a mistake that a binding has found to the error handler of comm, as the named function
 * would report it. Returns the error code. */
int Carpool_f08_report(const char* function, MPI_Comm comm, int error_class, const char* text);

/* A call of libcarpool whose error texts count as Fortran does. */
#define FROM_FORTRAN(call) (Carpool_f08_enter(), Carpool_f08_leave(call))
void Carpool_f08_enter(void);
int Carpool_f08_leave(int code);

/* The number of dimensions of a Cartesian communicator; -1 of any other, and if comm is none. */
int Carpool_f08_dimensions(MPI_Comm comm);

/* The number of blocks that this rank sends, or receives unless they are outgoing, in a
 * neighborhood collective; 0 if comm has no neighborhood. */
int Carpool_f08_degree(MPI_Comm comm, int outgoing);

/* False if the neighbor of that block does not exist. @pre 0 <= i < degree */
int Carpool_f08_has_neighbor(MPI_Comm comm, int outgoing, int i);

#endif
