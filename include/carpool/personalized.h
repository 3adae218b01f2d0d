/* Collective personalized communication: each rank has a message of its own for all, or for many,
 * other ranks of a communicator. Included by carpool.h; may be included alone.
 *
 *   [5] Kale, Kumar, Varadarajan: A Framework for Collective Personalized Communication (2003)
 */
#ifndef CARPOOL_PERSONALIZED_H
#define CARPOOL_PERSONALIZED_H

#include <carpool/collectives.h>
#include <carpool/request.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- All-to-all ------------------------------------------------------------------------------
 *
 * MPI_Alltoall, _alltoallv and _alltoallw with their arguments and meaning, MPI_IN_PLACE included;
 * their persistent forms are in collectives.h. Short blocks are combined ([5] section 2):
 *
 *   spread, pairwise   a message for each block
 *   mesh               along rows of sqrt(P) ranks, then columns, with holes as in section 2.2
 *   grid, hypercube    along three dimensions, or one per bit (sections 2.3 and 2.4)
 *   digits             the distance to the target, modulo P, in as many digits as carpool_digits
 *                      says, or with the factors that it says: one hop per digit that is not zero.
 *                      All ranks send equally many messages for any P. 2-digits, 3-digits, bruck
 *                      (radix 2) and 4-bruck are such ones
 *
 * The environment chooses, as CARPOOL_ALLTOALL=2-digits does, or else the cost model. Where blocks
 * differ it goes by the rank with most blocks and the one with most bytes, and ranks on the way learn
 * the sizes of what they pass on before it travels.
 *
 * Each call agrees by a small allreduce that its arguments match on all ranks, and is planned once
 * for the same arguments with predefined datatypes. carpool_assert_matching promises that they
 * match, see carpool.h; blocks that differ then go straight, unless an algorithm is asked for.
 *
 * Collective over comm. All ranks make their calls on it in one order. Errors as for the persistent
 * forms, alike on all ranks, before anything is written; of a nonblocking call by the Test or Wait
 * that completes it. */

int Carpool_Alltoall(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Ialltoall(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request *request);
int Carpool_Alltoall_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Ialltoall_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request *request);

int Carpool_Alltoallv(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm);
int Carpool_Ialltoallv(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm, Carpool_Request *request);
int Carpool_Alltoallv_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
    MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Ialltoallv_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
    MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request *request);

int Carpool_Alltoallw(
    const void *sendbuf, const int sendcounts[], const int sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm comm);
int Carpool_Ialltoallw(
    const void *sendbuf, const int sendcounts[], const int sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm comm, Carpool_Request *request);
int Carpool_Alltoallw_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int Carpool_Ialltoallw_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
    Carpool_Request *request);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
