#include "carpool/collectives.h"

#include "api/init.hpp"
#include "api/sides.hpp"

#include <cstdint>
#include <utility>

using namespace carpool::api;
using carpool::collectives::Kind;
using carpool::group::Arguments;

namespace {

constexpr Names named(const char* buffer, const char* count) {
    return {buffer, count, "", "datatype"};
}

/// One block on both sides.
Arguments reduction(Kind kind, const void* sendbuf, void* recvbuf, MPI_Count count,
                    MPI_Datatype datatype, MPI_Op op, int root = 0) {
    return {kind, one_block(named("sendbuf", "count"), sendbuf, count, datatype),
            one_block(named("recvbuf", "count"), recvbuf, count, datatype), root, op};
}

Arguments reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                 MPI_Op op, int root) {
    return reduction(Kind::reduce, sendbuf, recvbuf, count, datatype, op, root);
}

Arguments allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                    MPI_Op op) {
    return reduction(Kind::allreduce, sendbuf, recvbuf, count, datatype, op);
}

Arguments scan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
               MPI_Op op) {
    return reduction(Kind::scan, sendbuf, recvbuf, count, datatype, op);
}

Arguments exscan(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                 MPI_Op op) {
    return reduction(Kind::exscan, sendbuf, recvbuf, count, datatype, op);
}

Arguments reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                               MPI_Datatype datatype, MPI_Op op) {
    return {Kind::reduce_scatter,
            equal_blocks(named("sendbuf", "recvcount"), sendbuf, recvcount, datatype),
            one_block(named("recvbuf", "recvcount"), recvbuf, recvcount, datatype), 0, op};
}

/// What is received is block `rank` of recvcounts, at the start of recvbuf.
template <typename Count>
Arguments reduce_scatter(const void* sendbuf, void* recvbuf, const Count* recvcounts,
                         MPI_Datatype datatype, MPI_Op op) {
    auto send = consecutive_blocks(named("sendbuf", "recvcounts"), sendbuf, recvcounts, datatype);
    auto recv = consecutive_blocks(named("recvbuf", "recvcounts"), recvbuf, recvcounts, datatype);
    recv.displacement = [](int) { return std::int64_t{0}; };
    return {Kind::reduce_scatter, std::move(send), std::move(recv), 0, op};
}

}  // namespace

int Carpool_Reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                        Carpool_Request* request) {
    return init(reduce(sendbuf, recvbuf, count, datatype, op, root), comm, info, request);
}

int Carpool_Reduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                          MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                          Carpool_Request* request) {
    return init(reduce(sendbuf, recvbuf, count, datatype, op, root), comm, info, request);
}

int Carpool_Ireduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                         MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                         Carpool_Request* request) {
    return init_at_once(reduce(sendbuf, recvbuf, count, datatype, op, root), comm, info, request);
}

int Carpool_Ireduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                           MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info,
                           Carpool_Request* request) {
    return init_at_once(reduce(sendbuf, recvbuf, count, datatype, op, root), comm, info, request);
}

int Carpool_Allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                           MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(allreduce(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Allreduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                             Carpool_Request* request) {
    return init(allreduce(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Iallreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(allreduce(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Iallreduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                              Carpool_Request* request) {
    return init_at_once(allreduce(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                      MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                      MPI_Info info, Carpool_Request* request) {
    return init(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op), comm, info,
                request);
}

int Carpool_Reduce_scatter_block_init_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                        MPI_Info info, Carpool_Request* request) {
    return init(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op), comm, info,
                request);
}

int Carpool_Ireduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount,
                                       MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                       MPI_Info info, Carpool_Request* request) {
    return init_at_once(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op), comm, info,
                        request);
}

int Carpool_Ireduce_scatter_block_init_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                         MPI_Info info, Carpool_Request* request) {
    return init_at_once(reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op), comm, info,
                        request);
}

int Carpool_Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                Carpool_Request* request) {
    return init(reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op), comm, info, request);
}

int Carpool_Reduce_scatter_init_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                  Carpool_Request* request) {
    return init(reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op), comm, info, request);
}

int Carpool_Ireduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[],
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                 Carpool_Request* request) {
    return init_at_once(reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op), comm, info,
                        request);
}

int Carpool_Ireduce_scatter_init_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[],
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                   Carpool_Request* request) {
    return init_at_once(reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op), comm, info,
                        request);
}

int Carpool_Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                      MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(scan(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Scan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(scan(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Iscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                       MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(scan(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Iscan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(scan(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                        MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init(exscan(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Exscan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                          Carpool_Request* request) {
    return init(exscan(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Iexscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm, MPI_Info info, Carpool_Request* request) {
    return init_at_once(exscan(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}

int Carpool_Iexscan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count,
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                           Carpool_Request* request) {
    return init_at_once(exscan(sendbuf, recvbuf, count, datatype, op), comm, info, request);
}
