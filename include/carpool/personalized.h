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

/* ---- Many-to-many, both sides known ------------------------------------------------------------
 *
 * Each rank lists the ranks that it sends to and those that it receives from, as it would tell
 * MPI_Dist_graph_create_adjacent, and gets what MPI_Neighbor_alltoallv does on that graph, without
 * a communicator of its own. All ranks of comm call, also those with empty lists.
 *
 *   destinations[outdegree]  ranks of comm, in any order, repetitions and the rank itself allowed;
 *                            MPI_PROC_NULL stands for nobody, whose block stays untouched
 *   sendcounts, sdispls      of the block for each, in elements and extents of sendtype
 *   sources[indegree], recvcounts, rdispls, recvtype  the same of what comes. The k-th time that a
 *                            rank lists another as a source stands for the k-th time that this one
 *                            lists it as a destination, and both say the same number of bytes
 *
 * Arrays of a degree 0 may be null. An _init plans once: blocks up to a length at which alpha is
 * worth the bytes of more hops are combined along the digits of distances, or as carpool_algorithm
 * says (direct, digits, mesh, grid, hypercube, friends, cumulative), longer ones go straight ([5]
 * section 3.2). It compares the busiest ranks of all ways by the actual destinations and sizes. The
 * blocking and nonblocking forms send every block straight.
 *
 * Collective over comm, an intracommunicator; ranks make their calls on it in one order. Buffers
 * belong to the exchange until its completion; lists and types may change when the call returns.
 *
 * Errors, alike on all ranks: MPI_ERR_RANK (a destination or source out of range), MPI_ERR_ARG
 * (negative degree, null array, ends that do not match), MPI_ERR_COUNT, MPI_ERR_TYPE,
 * MPI_ERR_BUFFER (MPI_IN_PLACE), MPI_ERR_INFO_VALUE. */
int Carpool_Sparse_alltoallv(
    int outdegree, const int destinations[], const void *sendbuf, const int sendcounts[],
    const int sdispls[], MPI_Datatype sendtype, int indegree, const int sources[], void *recvbuf,
    const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Sparse_alltoallv_c(
    int outdegree, const int destinations[], const void *sendbuf, const MPI_Count sendcounts[],
    const MPI_Aint sdispls[], MPI_Datatype sendtype, int indegree, const int sources[],
    void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm);
int Carpool_Isparse_alltoallv(
    int outdegree, const int destinations[], const void *sendbuf, const int sendcounts[],
    const int sdispls[], MPI_Datatype sendtype, int indegree, const int sources[], void *recvbuf,
    const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
    Carpool_Request *request);
int Carpool_Isparse_alltoallv_c(
    int outdegree, const int destinations[], const void *sendbuf, const MPI_Count sendcounts[],
    const MPI_Aint sdispls[], MPI_Datatype sendtype, int indegree, const int sources[],
    void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm, Carpool_Request *request);
int Carpool_Sparse_alltoallv_init(
    int outdegree, const int destinations[], const void *sendbuf, const int sendcounts[],
    const int sdispls[], MPI_Datatype sendtype, int indegree, const int sources[], void *recvbuf,
    const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Sparse_alltoallv_init_c(
    int outdegree, const int destinations[], const void *sendbuf, const MPI_Count sendcounts[],
    const MPI_Aint sdispls[], MPI_Datatype sendtype, int indegree, const int sources[],
    void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

/* ---- Many-to-many, sources unknown --------------------------------------------------------------
 *
 * Each rank says to whom it sends, how much and what; nobody says from whom it receives. What has
 * come is in a delivery: who has sent it, how many bytes, and where they lie.
 *
 *   destinations[outdegree]  ranks of comm, in any order, repetitions and the rank itself allowed;
 *                            MPI_PROC_NULL stands for nobody
 *   sendcounts, sdispls      of the block for each, in elements and extents of sendtype; blocks of
 *                            no elements are delivered too
 *   delivery                 *delivery is set when the exchange ends, and must exist until then
 *
 * Blocks travel along the digits of the distance in ranks ([5] sections 2 and 3, with as many digits
 * as are cheapest): every rank has a few fixed partners, to each of which it sends one message per
 * exchange, if an empty one, so nobody has to find out when all has come. Or through rank 0 (star),
 * where ranks share cores and blocks are short. Or straight, and ranks agree when they are done
 * (nonblocking consensus). Long blocks always go straight. Which way is taken follows from what the
 * fourth last exchange on comm has asked of the busiest rank, which all ranks know by then: they
 * change together when traffic does ([5] section 6). CARPOOL_EXCHANGE (direct, digits, star, auto),
 * _DIGITS, _ALPHA, _BETA and _SIGMA are read by the first exchange on comm.
 *
 * Collective over comm, an intracommunicator: all ranks call, also those with nothing to send, in
 * one order. Several exchanges may be under way; the fifth waits for the first. sendbuf belongs to
 * the exchange until it ends; lists and types may change when the call returns, and comm may be
 * freed.
 *
 * Errors, alike on all ranks: MPI_ERR_RANK (a destination out of range), MPI_ERR_ARG (negative
 * degree, null array, settings that differ), MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER (sendbuf is
 * MPI_IN_PLACE); MPI_ERR_INFO_VALUE, at every exchange on comm, for an environment that is not
 * understood. Nothing is delivered then. */
typedef struct Carpool_Delivery_s *Carpool_Delivery;
#define CARPOOL_DELIVERY_NULL ((Carpool_Delivery)0)

int Carpool_Exchange(
    int outdegree, const int destinations[], const void *sendbuf, const int sendcounts[],
    const int sdispls[], MPI_Datatype sendtype, MPI_Comm comm, Carpool_Delivery *delivery);
int Carpool_Exchange_c(
    int outdegree, const int destinations[], const void *sendbuf, const MPI_Count sendcounts[],
    const MPI_Aint sdispls[], MPI_Datatype sendtype, MPI_Comm comm, Carpool_Delivery *delivery);
int Carpool_Iexchange(
    int outdegree, const int destinations[], const void *sendbuf, const int sendcounts[],
    const int sdispls[], MPI_Datatype sendtype, MPI_Comm comm, Carpool_Delivery *delivery,
    Carpool_Request *request);
int Carpool_Iexchange_c(
    int outdegree, const int destinations[], const void *sendbuf, const MPI_Count sendcounts[],
    const MPI_Aint sdispls[], MPI_Datatype sendtype, MPI_Comm comm, Carpool_Delivery *delivery,
    Carpool_Request *request);

/* The same exchange once more, and more often: a persistent request that sends the same blocks to
 * the same ranks, from sendbuf, where they lie as they lay before. What comes lies in recvbuf, one
 * block behind the other in the order of the delivery, each in the order of its type map. Planned
 * as Carpool_Sparse_alltoallv_init does, with its info keys and errors; a null delivery is
 * MPI_ERR_ARG. Collective over comm, that of the exchange. The delivery may be freed afterwards. */
int Carpool_Exchange_init(
    Carpool_Delivery delivery, const void *sendbuf, void *recvbuf, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

/* Local. The blocks of a delivery lie in the order of their sources, those of one source in its own
 * order. bytes are those of the block in the order of its type map; data is aligned to 16 bytes, and
 * there until the delivery is freed. MPI_ERR_ARG (a null delivery, index out of range) through the
 * handler of MPI_COMM_SELF. */
int Carpool_Delivery_count(Carpool_Delivery delivery, int *count);
int Carpool_Delivery_get(
    Carpool_Delivery delivery, int index, int *source, MPI_Count *bytes, const void **data);
int Carpool_Delivery_free(Carpool_Delivery *delivery);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
