#include "carpool/carpool.h"

#include "api/collective.hpp"
#include "api/sides.hpp"

using namespace carpool::api;
using carpool::schedule::Operation;

// One line per signature of MPI: which blocks there are, and in which form they are exchanged.

int Carpool_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                               void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking({{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                      equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
                     comm});
}

int Carpool_Neighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                 MPI_Comm comm) {
    return blocking({{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                      equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
                     comm});
}

int Carpool_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                Carpool_Request* request) {
    return nonblocking(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
         comm},
        request);
}

int Carpool_Ineighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
         comm},
        request);
}

int Carpool_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                    void* recvbuf, int recvcount, MPI_Datatype recvtype,
                                    MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return persistent(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
         comm},
        info, request);
}

int Carpool_Neighbor_allgather_init_c(const void* sendbuf, MPI_Count sendcount,
                                      MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                      Carpool_Request* request) {
    return persistent(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
         comm},
        info, request);
}

int Carpool_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, const int recvcounts[], const int displs[],
                                MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking({{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                      varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)},
                     comm});
}

int Carpool_Neighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm) {
    return blocking({{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                      varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)},
                     comm});
}

int Carpool_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, const int recvcounts[], const int displs[],
                                 MPI_Datatype recvtype, MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)},
         comm},
        request);
}

int Carpool_Ineighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                   Carpool_Request* request) {
    return nonblocking(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)},
         comm},
        request);
}

int Carpool_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                     void* recvbuf, const int recvcounts[], const int displs[],
                                     MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                     Carpool_Request* request) {
    return persistent(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)},
         comm},
        info, request);
}

int Carpool_Neighbor_allgatherv_init_c(const void* sendbuf, MPI_Count sendcount,
                                       MPI_Datatype sendtype, void* recvbuf,
                                       const MPI_Count recvcounts[], const MPI_Aint displs[],
                                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                       Carpool_Request* request) {
    return persistent(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)},
         comm},
        info, request);
}

int Carpool_Neighbor_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                const MPI_Datatype recvtypes[], MPI_Comm comm) {
    return blocking({{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                      typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
                     comm});
}

int Carpool_Neighbor_allgatherw_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void* recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                  MPI_Comm comm) {
    return blocking({{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
                      typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
                     comm});
}

int Carpool_Ineighbor_allgatherw(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void* recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                 const MPI_Datatype recvtypes[], MPI_Comm comm,
                                 Carpool_Request* request) {
    return nonblocking(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm},
        request);
}

int Carpool_Ineighbor_allgatherw_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void* recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                   MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm},
        request);
}

int Carpool_Neighbor_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                     void* recvbuf, const int recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                     MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return persistent(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm},
        info, request);
}

int Carpool_Neighbor_allgatherw_init_c(const void* sendbuf, MPI_Count sendcount,
                                       MPI_Datatype sendtype, void* recvbuf,
                                       const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                       const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                       Carpool_Request* request) {
    return persistent(
        {{Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
          typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
         comm},
        info, request);
}
