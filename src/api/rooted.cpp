#include "carpool/collectives.h"

#include "api/init.hpp"
#include "api/sides.hpp"

using namespace carpool::api;
using carpool::collectives::Kind;
using carpool::group::Arguments;

namespace {

/// Both sides are the one buffer.
Arguments bcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root) {
    const Names names{"buffer", "count", "", "datatype"};
    const auto side = one_block(names, buffer, count, datatype);
    return {Kind::bcast, side, side, root};
}

Arguments gather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 MPI_Count recvcount, MPI_Datatype recvtype, int root) {
    return {Kind::gather, one_block(send_names, sendbuf, sendcount, sendtype),
            equal_blocks(recv_names, recvbuf, recvcount, recvtype), root};
}

template <typename Count, typename Displacement>
Arguments gatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const Count* recvcounts, const Displacement* displs, MPI_Datatype recvtype,
                  int root) {
    return {Kind::gather, one_block(send_names, sendbuf, sendcount, sendtype),
            varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype), root};
}

Arguments scatter(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  MPI_Count recvcount, MPI_Datatype recvtype, int root) {
    return {Kind::scatter, equal_blocks(send_names, sendbuf, sendcount, sendtype),
            one_block(recv_names, recvbuf, recvcount, recvtype), root};
}

template <typename Count, typename Displacement>
Arguments scatterv(const void* sendbuf, const Count* sendcounts, const Displacement* displs,
                   MPI_Datatype sendtype, void* recvbuf, Count recvcount, MPI_Datatype recvtype,
                   int root) {
    return {Kind::scatter, varying_blocks(send_displs_names, sendbuf, sendcounts, displs, sendtype),
            one_block(recv_names, recvbuf, recvcount, recvtype), root};
}

}  // namespace

int Carpool_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                       MPI_Info info, Carpool_Request* request) {
    return init(bcast(buffer, count, datatype, root), comm, info, request);
}

int Carpool_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root,
                         MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(bcast(buffer, count, datatype, root), comm, info, request);
}

int Carpool_Ibcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
                        MPI_Info info, Carpool_Request* request) {
    return init_at_once(bcast(buffer, count, datatype, root), comm, info, request);
}

int Carpool_Ibcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root,
                          MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(bcast(buffer, count, datatype, root), comm, info, request);
}

int Carpool_Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                        MPI_Info info, Carpool_Request* request) {
    return init(gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root), comm,
                info, request);
}

int Carpool_Gather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                          void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                          MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root), comm,
                info, request);
}

int Carpool_Igather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                         MPI_Info info, Carpool_Request* request) {
    return init_at_once(gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
                        comm, info, request);
}

int Carpool_Igather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                           void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                           MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
                        comm, info, request);
}

int Carpool_Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         int root, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root),
                comm, info, request);
}

int Carpool_Gatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                           void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                           MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                           Carpool_Request* request) {
    return init(gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root),
                comm, info, request);
}

int Carpool_Igatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                          int root, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(
        gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root), comm,
        info, request);
}

int Carpool_Igatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                            MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                            Carpool_Request* request) {
    return init_at_once(
        gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root), comm,
        info, request);
}

int Carpool_Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                         MPI_Info info, Carpool_Request* request) {
    return init(scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root), comm,
                info, request);
}

int Carpool_Scatter_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                           void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                           MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root), comm,
                info, request);
}

int Carpool_Iscatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                          MPI_Info info, Carpool_Request* request) {
    return init_at_once(scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
                        comm, info, request);
}

int Carpool_Iscatter_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                            MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root),
                        comm, info, request);
}

int Carpool_Scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[],
                          MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                          Carpool_Request* request) {
    return init(scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root),
                comm, info, request);
}

int Carpool_Scatterv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                            const MPI_Aint displs[], MPI_Datatype sendtype, void* recvbuf,
                            MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                            MPI_Info info, Carpool_Request* request) {
    return init(scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root),
                comm, info, request);
}

int Carpool_Iscatterv_init(const void* sendbuf, const int sendcounts[], const int displs[],
                           MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                           Carpool_Request* request) {
    return init_at_once(
        scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root), comm,
        info, request);
}

int Carpool_Iscatterv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                             const MPI_Aint displs[], MPI_Datatype sendtype, void* recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                             MPI_Info info, Carpool_Request* request) {
    return init_at_once(
        scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root), comm,
        info, request);
}
