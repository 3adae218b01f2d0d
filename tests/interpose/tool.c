/* SPDX-License-Identifier: MIT */
/* A tool that counts waits, as tools do that have functions of MPI of their own. */
#include <mpi.h>

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    static int waits = 0;
    ++waits;
    return PMPI_Wait(request, status);
}
