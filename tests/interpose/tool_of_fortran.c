/* SPDX-License-Identifier: MIT */
/* A tool that has waits of mpi_f08 on MPICH alone, and passes them on to MPI by its PMPI name. */
#include <mpi.h>

void mpi_wait_f08_(MPI_Request *request, void *status, MPI_Fint *ierror)
{
    const int code = PMPI_Wait(request, MPI_STATUS_IGNORE);
    (void)status;
    if (ierror != 0) *ierror = code;
}
