/* SPDX-License-Identifier: MIT */
/* In place of an MPI's library for Fortran, which those of PyPI lack: functions that call C's by
 * their PMPI names, as Open MPI's and those of MPICH's mpi_f08 do. */
#include <mpi.h>

void mpi_alltoall_(void *sendbuf, const MPI_Fint *sendcount, const MPI_Fint *sendtype,
                   void *recvbuf, const MPI_Fint *recvcount, const MPI_Fint *recvtype,
                   const MPI_Fint *comm, MPI_Fint *ierror)
{
    *ierror = PMPI_Alltoall(sendbuf, *sendcount, MPI_Type_f2c(*sendtype), recvbuf, *recvcount,
                            MPI_Type_f2c(*recvtype), MPI_Comm_f2c(*comm));
}

void mpi_alltoall_init_(void *sendbuf, const MPI_Fint *sendcount, const MPI_Fint *sendtype,
                        void *recvbuf, const MPI_Fint *recvcount, const MPI_Fint *recvtype,
                        const MPI_Fint *comm, const MPI_Fint *info, MPI_Fint *request,
                        MPI_Fint *ierror)
{
    MPI_Request made = MPI_REQUEST_NULL;
    *ierror = PMPI_Alltoall_init(sendbuf, *sendcount, MPI_Type_f2c(*sendtype), recvbuf, *recvcount,
                                 MPI_Type_f2c(*recvtype), MPI_Comm_f2c(*comm), MPI_Info_f2c(*info),
                                 &made);
    *request = MPI_Request_c2f(made);
}

void mpi_start_(MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Request started = MPI_Request_f2c(*request);
    *ierror = PMPI_Start(&started);
}

void mpi_wait_(MPI_Fint *request, MPI_Status *status, MPI_Fint *ierror)
{
    MPI_Request completed = MPI_Request_f2c(*request);
    *ierror = PMPI_Wait(&completed, status);
    *request = MPI_Request_c2f(completed);
}

void mpi_request_free_(MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Request freed = MPI_Request_f2c(*request);
    *ierror = PMPI_Request_free(&freed);
    *request = MPI_Request_c2f(freed);
}
