#include "carpool/personalized.h"

#include "api/init.hpp"
#include "api/sides.hpp"

using namespace carpool::api;
using carpool::collectives::Kind;
using carpool::group::Arguments;

namespace {

Arguments alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   MPI_Count recvcount, MPI_Datatype recvtype) {
    return {Kind::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
            equal_blocks(recv_names, recvbuf, recvcount, recvtype)};
}

template <typename Count, typename Displacement>
Arguments alltoallv(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls,
                    MPI_Datatype sendtype, void* recvbuf, const Count* recvcounts,
                    const Displacement* rdispls, MPI_Datatype recvtype) {
    return {Kind::alltoall, varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
            varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)};
}

template <typename Count, typename Displacement>
Arguments alltoallw(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls,
                    const MPI_Datatype* sendtypes, void* recvbuf, const Count* recvcounts,
                    const Displacement* rdispls, const MPI_Datatype* recvtypes) {
    return {Kind::alltoall, typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
            typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)};
}

}  // namespace

int Carpool_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm);
}

int Carpool_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                      int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                      Carpool_Request* request) {
    return nonblocking(alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm,
                       request);
}

int Carpool_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm);
}

int Carpool_Ialltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                        Carpool_Request* request) {
    return nonblocking(alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm,
                       request);
}

int Carpool_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                      const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(
        alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
        comm);
}

int Carpool_Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       Carpool_Request* request) {
    return nonblocking(
        alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
        comm, request);
}

int Carpool_Alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                        MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                        const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(
        alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
        comm);
}

int Carpool_Ialltoallv_c(const void* sendbuf, const MPI_Count sendcounts[],
                         const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                         const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                         MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(
        alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
        comm, request);
}

int Carpool_Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                      const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                      const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
    return blocking(
        alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
        comm);
}

int Carpool_Ialltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[],
                       const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                       const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                       Carpool_Request* request) {
    return nonblocking(
        alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
        comm, request);
}

int Carpool_Alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
    return blocking(
        alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
        comm);
}

int Carpool_Ialltoallw_c(const void* sendbuf, const MPI_Count sendcounts[],
                         const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void* recvbuf,
                         const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                         const MPI_Datatype recvtypes[], MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(
        alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
        comm, request);
}

int Carpool_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                          Carpool_Request* request) {
    return init(alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm, info,
                request);
}

int Carpool_Alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                            MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm, info,
                request);
}

int Carpool_Ialltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                           Carpool_Request* request) {
    return init_at_once(alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm,
                        info, request);
}

int Carpool_Ialltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype), comm,
                        info, request);
}

int Carpool_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                           const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                           Carpool_Request* request) {
    return init(
        alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
        comm, info, request);
}

int Carpool_Alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                             const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                             const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                             MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                             Carpool_Request* request) {
    return init(
        alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
        comm, info, request);
}

int Carpool_Ialltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Info info, Carpool_Request* request) {
    return init_at_once(
        alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
        comm, info, request);
}

int Carpool_Ialltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                              const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                              const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                              Carpool_Request* request) {
    return init_at_once(
        alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype),
        comm, info, request);
}

int Carpool_Alltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                           MPI_Info info, Carpool_Request* request) {
    return init(
        alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
        comm, info, request);
}

int Carpool_Alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                             const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                             void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                             const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                             Carpool_Request* request) {
    return init(
        alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
        comm, info, request);
}

int Carpool_Ialltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            MPI_Info info, Carpool_Request* request) {
    return init_at_once(
        alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
        comm, info, request);
}

int Carpool_Ialltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                              const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                              void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                              const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                              Carpool_Request* request) {
    return init_at_once(
        alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes),
        comm, info, request);
}
