#include "carpool/carpool.h"

#include "api/collective.hpp"
#include "api/sides.hpp"

using namespace carpool::api;
using carpool::schedule::Operation;

namespace {

/// One count, one type and one operator for all blocks of both sides.
Collective reduction(Operation operation, const char* count_name, const void* sendbuf,
                     void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                     MPI_Comm comm) {
    const Names sent{"sendbuf", count_name, "", "datatype"};
    const Names received{"recvbuf", count_name, "", "datatype"};
    return {{operation, equal_blocks(sent, sendbuf, count, datatype),
             equal_blocks(received, recvbuf, count, datatype), op},
            comm};
}

Collective reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                  MPI_Op op, MPI_Comm comm) {
    return reduction(Operation::reduce, "count", sendbuf, recvbuf, count, datatype, op, comm);
}

Collective reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduction(Operation::reduce_scatter_block, "recvcount", sendbuf, recvbuf, recvcount,
                     datatype, op, comm);
}

}  // namespace

int Carpool_Neighbor_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm) {
    return blocking(reduce(sendbuf, recvbuf, count, datatype, op, comm));
}

int Carpool_Neighbor_reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return blocking(reduce(sendbuf, recvbuf, count, datatype, op, comm));
}

int Carpool_Ineighbor_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                             MPI_Op op, MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(reduce(sendbuf, recvbuf, count, datatype, op, comm), request);
}

int Carpool_Ineighbor_reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               Carpool_Request* request) {
    return nonblocking(reduce(sendbuf, recvbuf, count, datatype, op, comm), request);
}

int Carpool_Neighbor_reduce_init(const void* sendbuf, void* recvbuf, int count,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                 Carpool_Request* request) {
    return persistent(reduce(sendbuf, recvbuf, count, datatype, op, comm), info, request);
}

int Carpool_Neighbor_reduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                   Carpool_Request* request) {
    return persistent(reduce(sendbuf, recvbuf, count, datatype, op, comm), info, request);
}

int Carpool_Neighbor_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return blocking(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm));
}

int Carpool_Neighbor_reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                            MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return blocking(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm));
}

int Carpool_Ineighbor_reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                           Carpool_Request* request) {
    return nonblocking(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm),
                       request);
}

int Carpool_Ineighbor_reduce_scatter_block_c(const void* sendbuf, void* recvbuf,
                                             MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
                                             MPI_Comm comm, Carpool_Request* request) {
    return nonblocking(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm),
                       request);
}

int Carpool_Neighbor_reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                               MPI_Info info, Carpool_Request* request) {
    return persistent(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm), info,
                      request);
}

int Carpool_Neighbor_reduce_scatter_block_init_c(const void* sendbuf, void* recvbuf,
                                                 MPI_Count recvcount, MPI_Datatype datatype,
                                                 MPI_Op op, MPI_Comm comm, MPI_Info info,
                                                 Carpool_Request* request) {
    return persistent(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm), info,
                      request);
}
