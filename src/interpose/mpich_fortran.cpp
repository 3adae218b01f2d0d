// SPDX-License-Identifier: MIT
#include <mpi.h>

// MPICH's functions for Fortran call those of C, but module mpi_f08 calls a function that has no
// buffer by its PMPI name. So barriers are taken by the names that the module gives them; ierror
// may be null. The build renames these to mpi_...

#ifdef MPICH_VERSION

#pragma GCC visibility push(default)
extern "C" {

int carpool_MPI_Barrier(MPI_Comm comm);
int carpool_MPI_Ibarrier(MPI_Comm comm, MPI_Request* request);

void carpool_mpi_barrier_f08_(const MPI_Fint* comm, MPI_Fint* ierror) {
    const int code = carpool_MPI_Barrier(MPI_Comm_f2c(*comm));
    if (ierror != nullptr) *ierror = code;
}

void carpool_mpi_ibarrier_f08_(const MPI_Fint* comm, MPI_Fint* request, MPI_Fint* ierror) {
    MPI_Request made = MPI_REQUEST_NULL;
    const int code = carpool_MPI_Ibarrier(MPI_Comm_f2c(*comm), &made);
    if (code == MPI_SUCCESS) *request = MPI_Request_c2f(made);
    if (ierror != nullptr) *ierror = code;
}

}  // extern "C"
#pragma GCC visibility pop

#endif
