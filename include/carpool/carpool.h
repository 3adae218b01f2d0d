/* Carpool: sparse collective communication on MPI whose messages share rides.
 *
 * Every name mirrors MPI's, with the prefix Carpool_; a port is a change of prefix. Every function
 * returns MPI_SUCCESS or an MPI error code, after the error handler of the communicator was
 * called; MPI_Error_string gives a text that names the argument, its value and what was expected.
 *
 * Here are neighborhoods and collectives on them. Halo exchanges and stencils are in halo.h, the
 * ordinary collectives of MPI in collectives.h, exchanges between any ranks in personalized.h, requests
 * in request.h; all come with this header.
 *
 * Papers cited below:
 *   [1] Traff, Carpen-Amarie, Hunold, Rougier: Message-Combining Algorithms for Isomorphic, Sparse
 *       Collective Communication (2016)
 *   [2] Traff, Hunold: Cartesian Collective Communication (ICPP 2019)
 *   [3] Mirsadeghi, Traff, Balaji, Afsahi: Exploiting Common Neighborhoods to Optimize MPI
 *       Neighborhood Collectives (HiPC 2017)
 *   [5] Kale, Kumar, Varadarajan: A Framework for Collective Personalized Communication (2003)
 */
#ifndef CARPOOL_CARPOOL_H
#define CARPOOL_CARPOOL_H

#include <carpool/collectives.h>
#include <carpool/halo.h>
#include <carpool/personalized.h>
#include <carpool/request.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- Neighborhoods -------------------------------------------------------------------------- */

/* Makes a Cartesian communicator with a t-neighborhood of relative offsets attached ([2], listing 1).
 *
 * Collective over comm (an intracommunicator); every rank gives the same d, dims, periods, t,
 * targetrelative and weight.
 *   d               number of dimensions, at least 1
 *   dims[d]         sizes, each at least 1, whose product is the size of comm
 *   periods[d]      nonzero where a dimension wraps around
 *   t               number of neighbors, 0 allowed
 *   targetrelative  t*d integers: offset i is targetrelative[i*d .. i*d+d-1]; any value, repetitions
 *                   and the zero vector allowed
 *   weight[t]       or MPI_UNWEIGHTED; kept and returned by Carpool_Cart_neighbor_get
 *   info            carpool_* keys (below) become the defaults of operations on *cartcomm;
 *                   MPI_INFO_NULL allowed
 *   reorder         passed on to MPI_Cart_create
 *
 * Block i of an operation goes to rank R + N[i] and block i of the receive buffer comes from
 * R - N[i]; where that is off a dimension without wrap-around there is no neighbor
 * (MPI_PROC_NULL) and the block stays untouched. MPI_Cart_* queries work on *cartcomm, MPI_Comm_dup
 * and _idup keep the neighborhood, MPI_Comm_free frees it. The first collective call on a duplicate
 * is synchronising.
 *
 * Info keys, also accepted by every _init, and environment variables; an _init's info wins over
 * the communicator's, which wins over the environment:
 *   carpool_algorithm  CARPOOL_ALGORITHM  direct | torus | cartesian | basis | friends | cumulative
 *                                         | mesh | grid | hypercube | digits | auto (the default:
 *                                         here the cheapest of direct, cartesian and basis)
 *   carpool_theta      CARPOOL_THETA      common neighbors that make two ranks friends, at least 1;
 *                                         4 is the default, as in [3]
 *   carpool_digits     CARPOOL_DIGITS     of the rule digits: how many, such as 2 (the default), or
 *                                         their factors, such as 8x8x4, of a product of at least P
 *   carpool_alpha      CARPOOL_ALPHA      cost of a message in seconds, for auto
 *   carpool_beta       CARPOOL_BETA       cost of a byte sent in seconds, for auto
 *   carpool_sigma      CARPOOL_SIGMA      cost of a phase in seconds, for auto
 *   carpool_transfer   CARPOOL_TRANSFER   pack | types | auto (the default): copy blocks into one
 *                                         message, or let MPI gather them by a derived datatype
 *   carpool_requests   CARPOOL_REQUESTS   persistent | immediate | auto (the default): what a start
 *                                         of a persistent request uses underneath
 *   carpool_assert_matching  CARPOOL_ASSERT_MATCHING
 *                                         true | false (the default): the user promises that the
 *                                         arguments match on all ranks, which saves blocking and
 *                                         nonblocking calls the small allreduce that checks it
 */
int Carpool_Cart_neighborhood_create(
    MPI_Comm comm, int d, const int dims[], const int periods[], int t, const int targetrelative[],
    const int *weight, MPI_Info info, int reorder, MPI_Comm *cartcomm);

/* Attaches an s-neighborhood to the torus or mesh of a Cartesian communicator ([1], listing 1).
 *
 * Collective over cartcomm, made by MPI_Cart_create; s and relative_coordinates (s*d integers) as t
 * and targetrelative above. *isocomm has the ranks of cartcomm. */
int Carpool_Iso_neighborhood_create(
    MPI_Comm cartcomm, int s, const int relative_coordinates[], MPI_Comm *isocomm);

/* Helpers of [2], listing 2. All local. cartcomm carries a neighborhood. */

/* Rank at the calling process' coordinates + relative[d]; MPI_PROC_NULL off the mesh. */
int Carpool_Cart_relative_rank(MPI_Comm cartcomm, const int relative[], int *rank);

/* Source (own coordinates - relative) and target (own coordinates + relative) of a shift. */
int Carpool_Cart_relative_shift(MPI_Comm cartcomm, const int relative[], int *inrank, int *outrank);

/* Offset relative[d] from the calling process to rank: per dimension the difference of
 * coordinates, taken the shorter way round (the positive one if both are equal) where periodic. */
int Carpool_Cart_relative_coord(MPI_Comm cartcomm, int rank, int relative[]);

/* Number of neighbors t, those off the mesh included. */
int Carpool_Cart_neighbor_count(MPI_Comm cartcomm, int *t);

/* Sources and targets, with weights, in neighborhood order, as MPI_Dist_graph_create_adjacent takes
 * them but for the MPI_PROC_NULLs off a mesh. Fills at most maxin and maxout entries; a weight array
 * may be MPI_UNWEIGHTED; an unweighted neighborhood has weights 1. */
int Carpool_Cart_neighbor_get(
    MPI_Comm cartcomm, int maxin, int source[], int *sourceweight, int maxout, int target[],
    int *targetweight);

/* The first maxoffsets relative offsets as given at creation: maxoffsets*d integers. */
int Carpool_Cart_neighbor_offsets(MPI_Comm cartcomm, int maxoffsets, int targetrelative[]);

/* ---- Neighborhood collectives ---------------------------------------------------------------
 *
 * Collective over comm, an intracommunicator with a neighborhood. Arguments are those of the
 * MPI_Neighbor_* function of the same name; blocks lie in the order of the neighbors. allgatherw
 * takes one datatype and a displacement in bytes per received block, as alltoallw does.
 * MPI_IN_PLACE is refused. Send and receive buffers must not overlap. What comes from, or would go
 * to, a neighbor that does not exist (off a mesh, MPI_PROC_NULL) is not touched.
 *
 * comm is one of
 * - Carpool's own (above): t neighbors on both sides. Position i has one size in bytes on all ranks
 *   and on both sides; counts of positions without neighbor are free.
 * - any communicator with a topology of MPI: MPI_Cart_create, MPI_Graph_create,
 *   MPI_Dist_graph_create, _adjacent. Sources and targets are what MPI's own functions tell, in
 *   their order; the k-th edge to a rank is matched with the k-th that it lists from here, and on a
 *   Cartesian communicator what is sent in one direction arrives from the other. Both ends of an
 *   edge must give the same bytes; different edges may have different sizes. The first call on such
 *   a communicator, in any form, is synchronising: ranks check the graph and plan together. So is
 *   the first by each rule and kind of operation. What they have found stays with the communicator,
 *   and goes to its duplicates, on which only the first call of all is synchronising.
 *
 * Rules on a graph: direct; friends ([3]: two ranks with common targets halve them between them)
 * and cumulative (again and again); mesh, grid and hypercube ([5]: through two, three or log2(P)
 * ranks). A graph that is one neighborhood on a torus or mesh of up to four dimensions, ranks
 * numbered as MPI_Cart_create does, is recognised ([2] §2.2), and torus, cartesian and basis apply
 * too; elsewhere they are refused. auto takes the cheapest by carpool_alpha, _beta and _sigma, but
 * for cumulative, whose planning takes longest. Where sizes differ from edge to edge, a combining
 * rule first sends them along the routes, once per request, and once for blocking and nonblocking
 * calls that all ranks repeat with the same arguments. With carpool_assert_matching nobody knows
 * whether they differ: blocking and nonblocking calls, but for reductions, go direct unless a rule
 * is asked for, and then send the sizes each time.
 *
 * Blocking: returns when the calling rank's blocks have arrived. Nonblocking (Ineighbor):
 * completes by Wait or Test, which set the request to CARPOOL_REQUEST_NULL. Persistent (_init):
 * plans once, without touching the buffers; Start and Wait as often as wanted. Count, displacement
 * and datatype arguments may be changed or freed after any call returns; buffers belong to the
 * exchange until it completes. Variants in _c take MPI_Count counts.
 *
 * Errors (found before the first message, alike on all ranks): MPI_ERR_COMM, MPI_ERR_TOPOLOGY (no
 * neighborhood, or an edge that only one of its ends lists), MPI_ERR_COUNT (negative), MPI_ERR_TYPE (null or uncommitted), MPI_ERR_BUFFER
 * (MPI_IN_PLACE), MPI_ERR_ARG (null array, sizes that differ between ranks or sides),
 * MPI_ERR_INFO_VALUE (a rule that is unknown or does not apply, a threshold below 1). A nonblocking
 * call tells of them in its Wait or Test; between the call and that, any other collective on comm is
 * allowed, also if a rank has made a mistake.
 */

int Carpool_Neighbor_alltoall(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Neighbor_alltoall_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Ineighbor_alltoall(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request *request);
int Carpool_Ineighbor_alltoall_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request *request);
int Carpool_Neighbor_alltoall_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Neighbor_alltoall_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Neighbor_alltoallv(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm);
int Carpool_Neighbor_alltoallv_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
    MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Ineighbor_alltoallv(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm, Carpool_Request *request);
int Carpool_Ineighbor_alltoallv_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
    MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request *request);
int Carpool_Neighbor_alltoallv_init(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Neighbor_alltoallv_init_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Neighbor_alltoallw(
    const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm comm);
int Carpool_Neighbor_alltoallw_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm);
int Carpool_Ineighbor_alltoallw(
    const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm comm, Carpool_Request *request);
int Carpool_Ineighbor_alltoallw_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
    Carpool_Request *request);
int Carpool_Neighbor_alltoallw_init(
    const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Neighbor_alltoallw_init_c(
    const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Neighbor_allgather(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Neighbor_allgather_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Ineighbor_allgather(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request *request);
int Carpool_Ineighbor_allgather_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request *request);
int Carpool_Neighbor_allgather_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Neighbor_allgather_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);

int Carpool_Neighbor_allgatherv(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Neighbor_allgatherv_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm);
int Carpool_Ineighbor_allgatherv(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
    Carpool_Request *request);
int Carpool_Ineighbor_allgatherv_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
    Carpool_Request *request);
int Carpool_Neighbor_allgatherv_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
    Carpool_Request *request);
int Carpool_Neighbor_allgatherv_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);

int Carpool_Neighbor_allgatherw(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
    MPI_Comm comm);
int Carpool_Neighbor_allgatherw_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
    MPI_Comm comm);
int Carpool_Ineighbor_allgatherw(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
    Carpool_Request *request);
int Carpool_Ineighbor_allgatherw_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
    MPI_Comm comm, Carpool_Request *request);
int Carpool_Neighbor_allgatherw_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Neighbor_allgatherw_init_c(
    const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
    const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

/* ---- Neighborhood reductions ----------------------------------------------------------------
 *
 * The reductions that [1] and [2] name and MPI does not have. Collective over comm, which carries a
 * neighborhood; count, datatype and op are alike on all ranks.
 *
 * Carpool_Neighbor_reduce: every rank gives the block sendbuf[count], and recvbuf[count] becomes
 * the reduction over the blocks of its sources R - N[i]. Carpool_Neighbor_reduce_scatter_block:
 * sendbuf holds t blocks of recvcount elements, block i goes to target R + N[i], and recvbuf
 * becomes the reduction over what the sources have sent to this rank. On a graph sources and targets
 * are those of its edges. A source that occurs several
 * times counts as often; the zero vector counts the rank itself; sources off the mesh count
 * nothing, and a rank without any keeps its recvbuf. What recvbuf held before is not an operand.
 *
 * An operator that commutes is applied on the way, along the tree of an allgather run backwards:
 * rounds are those of allgather, and so is the volume, or less where partial sums are equal (a sum
 * over 27 points moves 6 blocks). The order of operations depends on the plan alone, so results are
 * identical from start to start. An operator that does not commute is applied at the target, in the
 * order of the neighborhood: source 0 op source 1 op ..., after all blocks have come by "direct".
 * An operator of the user's must not be freed before the request is. It sees the datatype handle that
 * the call was given, also if that has been freed since (in MPICH and Open MPI; elsewhere perhaps an
 * equivalent one).
 *
 * Errors as above, and MPI_ERR_OP: op is null, MPI_REPLACE or MPI_NO_OP, or not defined for the
 * datatype.
 */

int Carpool_Neighbor_reduce(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int Carpool_Neighbor_reduce_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm);
int Carpool_Ineighbor_reduce(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
    Carpool_Request *request);
int Carpool_Ineighbor_reduce_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, Carpool_Request *request);
int Carpool_Neighbor_reduce_init(
    const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
    MPI_Info info, Carpool_Request *request);
int Carpool_Neighbor_reduce_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

int Carpool_Neighbor_reduce_scatter_block(
    const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm);
int Carpool_Neighbor_reduce_scatter_block_c(
    const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm);
int Carpool_Ineighbor_reduce_scatter_block(
    const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, Carpool_Request *request);
int Carpool_Ineighbor_reduce_scatter_block_c(
    const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, Carpool_Request *request);
int Carpool_Neighbor_reduce_scatter_block_init(
    const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);
int Carpool_Neighbor_reduce_scatter_block_init_c(
    const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Info info, Carpool_Request *request);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
