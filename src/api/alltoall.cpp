#include "carpool/carpool.h"

#include "api/collective.hpp"
#include "api/sides.hpp"

using namespace carpool::api;
using carpool::schedule::Operation;

// One line per signature of MPI: which blocks there are, and in which form they are exchanged.

int Carpool_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                              void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking({{Operation::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                      equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
                     comm});
}

int Carpool_Neighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                MPI_Comm comm) {
    return blocking({{Operation::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                      equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
                     comm});
}

int Carpool_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                               Carpool_Request* request) {
    return nonblocking(
        {{Operation::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
         comm},
        request);
}

int Carpool_Ineighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                 MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(
        {{Operation::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
         comm},
        request);
}

int Carpool_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                   MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return persistent({{Operation::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                        equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
                       comm},
                      info, request);
}

int Carpool_Neighbor_alltoall_init_c(const void* sendbuf, MPI_Count sendcount,
                                     MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                                     MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                     Carpool_Request* request) {
    return persistent({{Operation::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                        equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
                       comm},
                      info, request);
}

int Carpool_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                               MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                               const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(
        {{Operation::alltoall, varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
          varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
         comm});
}

int Carpool_Neighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                 const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                 MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking(
        {{Operation::alltoall, varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
          varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
         comm});
}

int Carpool_Ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
                                MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                                const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                Carpool_Request* request) {
    return nonblocking(
        {{Operation::alltoall, varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
          varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
         comm},
        request);
}

int Carpool_Ineighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[],
                                  const MPI_Aint sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                  const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                  MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(
        {{Operation::alltoall, varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
          varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
         comm},
        request);
}

int Carpool_Neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[],
                                    const int sdispls[], MPI_Datatype sendtype, void* recvbuf,
                                    const int recvcounts[], const int rdispls[],
                                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                    Carpool_Request* request) {
    return persistent(
        {{Operation::alltoall, varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
          varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
         comm},
        info, request);
}

int Carpool_Neighbor_alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                      const MPI_Aint sdispls[], MPI_Datatype sendtype,
                                      void* recvbuf, const MPI_Count recvcounts[],
                                      const MPI_Aint rdispls[], MPI_Datatype recvtype,
                                      MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return persistent(
        {{Operation::alltoall, varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
          varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
         comm},
        info, request);
}

int Carpool_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[],
                               const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                               void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                               const MPI_Datatype recvtypes[], MPI_Comm comm) {
    return blocking(
        {{Operation::alltoall, typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm});
}

int Carpool_Neighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[],
                                 const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                 void* recvbuf, const MPI_Count recvcounts[],
                                 const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                 MPI_Comm comm) {
    return blocking(
        {{Operation::alltoall, typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm});
}

int Carpool_Ineighbor_alltoallw(const void* sendbuf, const int sendcounts[],
                                const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                const MPI_Datatype recvtypes[], MPI_Comm comm,
                                Carpool_Request* request) {
    return nonblocking(
        {{Operation::alltoall, typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm},
        request);
}

int Carpool_Ineighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[],
                                  const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                  void* recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                  MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(
        {{Operation::alltoall, typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm},
        request);
}

int Carpool_Neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[],
                                    const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                    void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                    const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                    Carpool_Request* request) {
    return persistent(
        {{Operation::alltoall, typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm},
        info, request);
}

int Carpool_Neighbor_alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[],
                                      const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                      void* recvbuf, const MPI_Count recvcounts[],
                                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                      MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return persistent(
        {{Operation::alltoall, typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm},
        info, request);
}
