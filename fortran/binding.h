/* What libcarpool has for the bindings alone, and no header of its own declares. */
#ifndef CARPOOL_FORTRAN_BINDING_H
#define CARPOOL_FORTRAN_BINDING_H

#include <carpool/mpi.h>

/* Reports a mistake that a binding has found, as that function would: to the error handler of comm.
 * Returns the error code. */
int Carpool_f08_report(const char* function, MPI_Comm comm, int error_class, const char* text);

#endif
