/* Persistent forms of MPI's ordinary collectives, on all ranks of a communicator, for every MPI
 * from 3.1 on. Included by carpool.h; may be included alone.
 *
 *   [4] Morgan: Prototyping the Reference Implementation of Persistent Non-Blocking Collective
 *       Communication in MPI (Auburn University, 2017)
 */
#ifndef CARPOOL_COLLECTIVES_H
#define CARPOOL_COLLECTIVES_H

#include <carpool/request.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Arguments and meaning are those of MPI-4's MPI_*_init of the same name, and of MPI_*_init_c for
 * MPI_Count counts and MPI_Aint displacements.
 *
 * Carpool_*_init is collective over comm, an intracommunicator, and synchronising: ranks check
 * their arguments against each other, choose an algorithm and plan. It doesn't touch the buffers.
 * Carpool_I*_init returns at once ([4] section 2.0.1): agreeing and planning go on inside later
 * Carpool calls, and are over when the first start completes; MPI_Finalize waits for what is left.
 * With Open MPI the first on a communicator waits for the other ranks, whose duplicate it makes.
 * There may be MPI_TAG_UB / 1024 requests on a communicator at a time; one more is MPI_ERR_OTHER.
 * Once so many inits have been made, the next ones wait for the other ranks; so does an I*_init
 * where 1024 of this process are not planned yet.
 *
 * All ranks make the inits on one communicator in one order, in which other collectives on it count
 * too. The requests may then be started in any order, another on each rank, and be active together;
 * so mpi_assert_strict_persistent_collective_ordering is accepted and makes no difference.
 *
 * Buffers belong to the exchange between Start and its completion, and must not move as long as the
 * request is there. Arrays and datatypes may be changed or freed as soon as an init returns; comm
 * may be freed then too, but after an I*_init not before the first start has completed. MPI has no
 * duplicate of an operator: one of the user's must not be freed before the request is.
 *
 * MPI_IN_PLACE may stand where MPI lets it:
 *   sendbuf, at the root    gather, gatherv, reduce
 *   recvbuf, at the root    scatter, scatterv
 *   sendbuf, on all ranks   allgather, allgatherv, alltoall, alltoallv, alltoallw, allreduce,
 *                           reduce_scatter_block, reduce_scatter, scan, exscan
 * Counts, displacements and datatypes of that buffer alone are then not read. Otherwise the two
 * buffers must not overlap. What MPI calls significant only at the root is not read elsewhere.
 *
 * Reductions: an operator that does not commute is applied in the order of ranks, 0 op 1 op 2 ...,
 * with brackets set anywhere; algorithms that would change the order are not taken then. The order
 * of operations is fixed when the request is planned, so the same operands give identical results
 * from start to start; an allreduce gives identical ones on all ranks. Exscan leaves recvbuf of
 * rank 0 untouched.
 *
 * Info keys, alike on all ranks:
 *   carpool_algorithm  auto (the default: the cheapest by carpool_alpha, _beta and _sigma), or one
 *                      of the collective's own, which `carpool explain` lists and shows:
 *     barrier                 dissemination | tree | star
 *     bcast                   linear | binomial | 4-nomial | chain | scatter-allgather
 *     gather(v), scatter(v)   linear | binomial
 *     allgather(v)            spread | ring | bruck | 4-bruck | recursive-doubling
 *                             | neighbor-exchange (an even number of ranks) | gather-bcast | star
 *     alltoall(v,w)           spread | pairwise | 2-digits | 3-digits | 4-bruck | bruck | digits
 *                             | mesh | grid | hypercube; up to 256 ranks gather-scatter | star;
 *                             see personalized.h
 *     reduce                  linear | binomial | 4-nomial | chain | rabenseifner
 *     allreduce               spread | recursive-doubling | rabenseifner | reduce-bcast | star
 *                             | ring (operators that commute)
 *     reduce_scatter(_block)  spread | recursive-halving | ring (operators that commute); up to
 *                             256 ranks reduce-scatter | star
 *     scan, exscan            linear | recursive-doubling | binomial | star
 *                      The environment may prefer one, where it applies: CARPOOL_ALLREDUCE=ring,
 *                      and so for each name of MPI without v, w or _block
 *   carpool_measure    true | false (the default): the init runs each candidate on memory of its
 *                      own and takes the fastest; another run of the program may take another,
 *                      and so round differently. I*_init goes by cost
 *   carpool_digits     as for neighborhoods, of the algorithm digits
 *   carpool_segment    bytes of the pieces in which chains send; at most 1024 pieces
 *   carpool_alpha, carpool_beta, carpool_sigma, carpool_transfer, carpool_requests
 *                      as for neighborhoods, see carpool.h, but alpha and beta for messages that a
 *                      core carries for all its ranks, and with defaults of their own; all but
 *                      carpool_algorithm may be set in the environment too, in upper case, and
 *                      then hold for both
 *
 * Errors (found before the first message, alike on all ranks; after an I*_init they are reported by
 * the first Start, or by the Test or Wait that would have completed it): MPI_ERR_COUNT (negative,
 * or more than memory can hold), MPI_ERR_TYPE (null or uncommitted), MPI_ERR_BUFFER (MPI_IN_PLACE
 * elsewhere), MPI_ERR_ROOT, MPI_ERR_OP (null, MPI_REPLACE or MPI_NO_OP, or not defined for the datatype), MPI_ERR_ARG (null
 * array, sizes, roots or operations that differ between ranks), MPI_ERR_INFO_VALUE (an algorithm
 * that is unknown or does not apply, a segment below 1). MPI_ERR_COMM (null, or an
 * intercommunicator) is reported at once. MPI_ERR_NO_MEM is alike on all ranks too, where
 * blocks of one rank, or what it passes on, are more than 1 MiB.
 */

int Carpool_Barrier_init(MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ibarrier_init(MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Bcast_init(
    void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Bcast_init_c(
    void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Ibcast_init(
    void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Ibcast_init_c(
    void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Gather_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Gather_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Igather_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Igather_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Gatherv_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Gatherv_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Igatherv_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Igatherv_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Scatter_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Scatter_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Iscatter_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Iscatter_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Scatterv_init(
    const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
    void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Scatterv_init_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Iscatterv_init(
    const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
    void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Iscatterv_init_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
    MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Allgather_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Allgather_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Iallgather_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Iallgather_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Allgatherv_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Allgatherv_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Iallgatherv_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Iallgatherv_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);

int Carpool_Alltoall_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Alltoall_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Ialltoall_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ialltoall_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Alltoallv_init(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Alltoallv_init_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ialltoallv_init(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ialltoallv_init_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Alltoallw_init(
    const void *sendbuf, const int sendcounts[], const int sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Alltoallw_init_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Ialltoallw_init(
    const void *sendbuf, const int sendcounts[], const int sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ialltoallw_init_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Reduce_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Reduce_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ireduce_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ireduce_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Allreduce_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Allreduce_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Iallreduce_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Iallreduce_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Reduce_scatter_block_init(
    const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Reduce_scatter_block_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ireduce_scatter_block_init(
    const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ireduce_scatter_block_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Reduce_scatter_init(
    const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Reduce_scatter_init_c(
    const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
    MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ireduce_scatter_init(
    const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Ireduce_scatter_init_c(
    const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
    MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Scan_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Scan_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Iscan_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Iscan_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Exscan_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Exscan_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Iexscan_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Iexscan_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
