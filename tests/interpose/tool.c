/* SPDX-License-Identifier: MIT */
/* A tool that counts waits and scans, as tools do that have functions of MPI of their own. */
#include <mpi.h>

int tool_scans = 0;

int MPI_Scan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm)
{
    ++tool_scans;
    return PMPI_Scan(sent, received, count, type, op, comm);
}

int MPI_Iscan(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
              MPI_Comm comm, MPI_Request *request)
{
    ++tool_scans;
    return PMPI_Iscan(sent, received, count, type, op, comm, request);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    static int waits = 0;
    ++waits;
    return PMPI_Wait(request, status);
}
