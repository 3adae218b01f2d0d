#include "carpool/collectives.h"

#include "api/init.hpp"
#include "api/sides.hpp"

using namespace carpool::api;
using carpool::collectives::Kind;
using carpool::group::Arguments;

namespace {

Arguments barrier() { return {Kind::barrier}; }

Arguments allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    MPI_Count recvcount, MPI_Datatype recvtype) {
    return {Kind::allgather, one_block(send_names, sendbuf, sendcount, sendtype),
            equal_blocks(recv_names, recvbuf, recvcount, recvtype)};
}

template <typename Count, typename Displacement>
Arguments allgatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const Count* recvcounts, const Displacement* displs, MPI_Datatype recvtype) {
    return {Kind::allgather, one_block(send_names, sendbuf, sendcount, sendtype),
            varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)};
}

}  // namespace

int Carpool_Barrier_init(MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(barrier(), comm, info, request);
}

int Carpool_Ibarrier_init(MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(barrier(), comm, info, request);
}

int Carpool_Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                           Carpool_Request* request) {
    return init(allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm, info,
                request);
}

int Carpool_Allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm, info,
                request);
}

int Carpool_Iallgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Info info, Carpool_Request* request) {
    return init_at_once(allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm,
                        info, request);
}

int Carpool_Iallgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                              MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm,
                        info, request);
}

int Carpool_Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int displs[],
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                            Carpool_Request* request) {
    return init(allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype),
                comm, info, request);
}

int Carpool_Allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                              Carpool_Request* request) {
    return init(allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype),
                comm, info, request);
}

int Carpool_Iallgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                             void* recvbuf, const int recvcounts[], const int displs[],
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                             Carpool_Request* request) {
    return init_at_once(
        allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), comm, info,
        request);
}

int Carpool_Iallgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[],
                               MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                               Carpool_Request* request) {
    return init_at_once(
        allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype), comm, info,
        request);
}
