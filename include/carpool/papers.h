/* The names that the papers use, for programs written after them. Each is a line over carpool.h,
 * which says what the arguments are.
 *
 *   Cart_*  [2] Traff, Hunold: Cartesian Collective Communication (ICPP 2019), listings 1 to 3
 *   Iso_*   [1] Traff, Carpen-Amarie, Hunold, Rougier: Message-Combining Algorithms for Isomorphic,
 *           Sparse Collective Communication (2016), listings 1 to 3 and section 7
 *
 * Iso_start is blocking, as in [1], listing 2. With CARPOOL_ISO_START_NONBLOCKING defined before this
 * header is included it is as section 7 proposes: it returns at once, and Iso_wait completes it.
 * Iso_wait on what has completed returns at once, so programs that call it work either way. */
#ifndef CARPOOL_PAPERS_H
#define CARPOOL_PAPERS_H

#include <carpool/carpool.h>
#include <stdlib.h>

/* ---- [2], listings 1 and 2 ------------------------------------------------------------------ */

static inline int Cart_neighborhood_create(
    MPI_Comm comm, int d, const int dimensions[], const int periods[], int t,
    const int targetrelative[], const int *weight, MPI_Info info, int reorder, MPI_Comm *cartcomm) {
    return Carpool_Cart_neighborhood_create(
        comm, d, dimensions, periods, t, targetrelative, weight, info, reorder, cartcomm);
}

static inline int Cart_relative_rank(MPI_Comm cartcomm, const int relative[], int *rank) {
    return Carpool_Cart_relative_rank(cartcomm, relative, rank);
}

static inline int Cart_relative_shift(
    MPI_Comm cartcomm, const int relative[], int *inrank, int *outrank) {
    return Carpool_Cart_relative_shift(cartcomm, relative, inrank, outrank);
}

static inline int Cart_relative_coord(MPI_Comm cartcomm, const int rank, int relative[]) {
    return Carpool_Cart_relative_coord(cartcomm, rank, relative);
}

static inline int Cart_neighbor_count(MPI_Comm cartcomm, int *t) {
    return Carpool_Cart_neighbor_count(cartcomm, t);
}

static inline int Cart_neighbor_get(
    MPI_Comm cartcomm, const int maxin, int source[], int *sourceweight, const int maxout,
    int target[], int *targetweight) {
    return Carpool_Cart_neighbor_get(
        cartcomm, maxin, source, sourceweight, maxout, target, targetweight);
}

/* ---- [2] section 2: the operations ----------------------------------------------------------
 *
 * Cart_<op>_init takes the arguments of Cart_<op> and returns no handle: it checks them on all ranks
 * and plans, and the routes are kept with cartcomm for the calls that follow. */

static inline int Cart_alltoall(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm cartcomm) {
    return Carpool_Neighbor_alltoall(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm);
}

static inline int Cart_alltoall_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm cartcomm) {
    Carpool_Request request;
    const int code = Carpool_Neighbor_alltoall_init(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm, MPI_INFO_NULL,
        &request);
    return code == MPI_SUCCESS ? Carpool_Request_free(&request) : code;
}

static inline int Cart_alltoallv(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm cartcomm) {
    return Carpool_Neighbor_alltoallv(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm);
}

static inline int Cart_alltoallv_init(
    const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
    MPI_Comm cartcomm) {
    Carpool_Request request;
    const int code = Carpool_Neighbor_alltoallv_init(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, cartcomm,
        MPI_INFO_NULL, &request);
    return code == MPI_SUCCESS ? Carpool_Request_free(&request) : code;
}

static inline int Cart_alltoallw(
    const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm cartcomm) {
    return Carpool_Neighbor_alltoallw(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, cartcomm);
}

static inline int Cart_alltoallw_init(
    const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
    const MPI_Datatype recvtypes[], MPI_Comm cartcomm) {
    Carpool_Request request;
    const int code = Carpool_Neighbor_alltoallw_init(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, cartcomm,
        MPI_INFO_NULL, &request);
    return code == MPI_SUCCESS ? Carpool_Request_free(&request) : code;
}

static inline int Cart_allgather(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm cartcomm) {
    return Carpool_Neighbor_allgather(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm);
}

static inline int Cart_allgather_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm cartcomm) {
    Carpool_Request request;
    const int code = Carpool_Neighbor_allgather_init(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, cartcomm, MPI_INFO_NULL,
        &request);
    return code == MPI_SUCCESS ? Carpool_Request_free(&request) : code;
}

static inline int Cart_allgatherv(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm cartcomm) {
    return Carpool_Neighbor_allgatherv(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, cartcomm);
}

static inline int Cart_allgatherv_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm cartcomm) {
    Carpool_Request request;
    const int code = Carpool_Neighbor_allgatherv_init(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, cartcomm,
        MPI_INFO_NULL, &request);
    return code == MPI_SUCCESS ? Carpool_Request_free(&request) : code;
}

static inline int Cart_allgatherw(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
    MPI_Comm cartcomm) {
    return Carpool_Neighbor_allgatherw(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm);
}

static inline int Cart_allgatherw_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
    MPI_Comm cartcomm) {
    Carpool_Request request;
    const int code = Carpool_Neighbor_allgatherw_init(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, rdispls, recvtypes, cartcomm,
        MPI_INFO_NULL, &request);
    return code == MPI_SUCCESS ? Carpool_Request_free(&request) : code;
}

/* ---- [1], listings 1 to 3 ------------------------------------------------------------------- */

typedef Carpool_Request Iso_request;

static inline int Iso_neighborhood_create(
    MPI_Comm cartcomm, int s, const int relative_coordinates[], MPI_Comm *isocomm) {
    return Carpool_Iso_neighborhood_create(cartcomm, s, relative_coordinates, isocomm);
}

static inline int Iso_neighbor_alltoall_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm isocomm, Iso_request *request) {
    return Carpool_Neighbor_alltoall_init(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, isocomm, MPI_INFO_NULL,
        request);
}

static inline int Iso_neighbor_allgather_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
    MPI_Datatype recvtype, MPI_Comm isocomm, Iso_request *request) {
    return Carpool_Neighbor_allgather_init(
        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, isocomm, MPI_INFO_NULL,
        request);
}

/* [1] pairs int counts with MPI_Aint displacements, MPI's large-count calls with MPI_Count ones. */
static inline MPI_Count *carpool_iso_counts(MPI_Comm isocomm, const int counts[]) {
    MPI_Count *wide = NULL;
    int s = 0;
    if (counts != NULL && Carpool_Cart_neighbor_count(isocomm, &s) == MPI_SUCCESS)
        wide = (MPI_Count *)malloc(((size_t)s + 1) * sizeof *wide);
    for (int i = 0; wide != NULL && i < s; i++) wide[i] = counts[i];
    return wide;
}

static inline int Iso_neighbor_alltoallv_init(
    const void *sendbuf, const int sendcounts[], const MPI_Aint senddispls[], MPI_Datatype sendtype,
    void *recvbuf, const int recvcounts[], const MPI_Aint recvdispls[], MPI_Datatype recvtype,
    MPI_Comm isocomm, Iso_request *request) {
    MPI_Count *sent = carpool_iso_counts(isocomm, sendcounts);
    MPI_Count *received = carpool_iso_counts(isocomm, recvcounts);
    const int code = Carpool_Neighbor_alltoallv_init_c(
        sendbuf, sent, senddispls, sendtype, recvbuf, received, recvdispls, recvtype, isocomm,
        MPI_INFO_NULL, request);
    free(sent);
    free(received);
    return code;
}

static inline int Iso_neighbor_allgatherv_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const MPI_Aint recvdispls[], MPI_Datatype recvtype, MPI_Comm isocomm,
    Iso_request *request) {
    MPI_Count *received = carpool_iso_counts(isocomm, recvcounts);
    const int code = Carpool_Neighbor_allgatherv_init_c(
        sendbuf, sendcount, sendtype, recvbuf, received, recvdispls, recvtype, isocomm,
        MPI_INFO_NULL, request);
    free(received);
    return code;
}

static inline int Iso_neighbor_alltoallw_init(
    const void *sendbuf, const int sendcounts[], const MPI_Aint senddispls[],
    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
    const MPI_Aint recvdispls[], const MPI_Datatype recvtypes[], MPI_Comm isocomm,
    Iso_request *request) {
    return Carpool_Neighbor_alltoallw_init(
        sendbuf, sendcounts, senddispls, sendtypes, recvbuf, recvcounts, recvdispls, recvtypes,
        isocomm, MPI_INFO_NULL, request);
}

static inline int Iso_neighbor_allgatherw_init(
    const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    const int recvcounts[], const MPI_Aint recvdispls[], const MPI_Datatype recvtypes[],
    MPI_Comm isocomm, Iso_request *request) {
    return Carpool_Neighbor_allgatherw_init(
        sendbuf, sendcount, sendtype, recvbuf, recvcounts, recvdispls, recvtypes, isocomm,
        MPI_INFO_NULL, request);
}

static inline int Iso_wait(Iso_request *request) {
    return Carpool_Wait(request, MPI_STATUS_IGNORE);
}

static inline int Iso_start(Iso_request *request) {
#ifdef CARPOOL_ISO_START_NONBLOCKING
    return Carpool_Start(request);
#else
    const int code = Carpool_Start(request);
    return code == MPI_SUCCESS ? Iso_wait(request) : code;
#endif
}

static inline int Iso_request_free(Iso_request *request) { return Carpool_Request_free(request); }

#endif
