// SPDX-License-Identifier: MIT
#pragma once

#include "api/forms.hpp"
#include "api/sides.hpp"
#include "ordinary/begun_at_host.hpp"
#include "ordinary/in_place.hpp"
#include "ordinary/init.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace carpool::api {

/// An ordinary collective as called: everything except whether it is blocking, nonblocking or
/// persistent.
struct CollectiveCall {
    ordinary::CollectiveArguments arguments;
    MPI_Comm comm;
};

inline std::unique_ptr<engine::Request> once(const CollectiveCall& call,
                                             call::HostNonblockingCall::Begin otherwise = {}) {
    return ordinary::once(call.comm, call.arguments, std::move(otherwise));
}

inline CollectiveCall in_place_where_equal(const CollectiveCall& call) {
    return {ordinary::in_place_where_equal(call.arguments, call.comm), call.comm};
}

inline std::uint64_t digest_of(const CollectiveCall& call) {
    return ordinary::digest_of(call.comm, call.arguments);
}

inline void check_arguments(const CollectiveCall& call) {
    ordinary::check_arguments(call.comm, call.arguments);
}

inline MPI_Request begun_at_host(const char* function, const CollectiveCall& call) {
    return ordinary::begun_at_host(function, call.comm, call.arguments);
}

inline std::shared_ptr<call::BoundCall> filled(const CollectiveCall& call) {
    return ordinary::filled(call.comm, call.arguments);
}

inline std::unique_ptr<engine::Request> initialised(const CollectiveCall& call, MPI_Info info,
                                                    call::Return when) {
    return ordinary::initialised(call.comm, call.arguments, info, when);
}

// One function per operation describes the blocks of its arguments.

inline CollectiveCall barrier(MPI_Comm comm) { return {{collectives::Kind::barrier}, comm}; }

/// Both sides are the same buffer.
inline CollectiveCall bcast(void* buffer, MPI_Count count, MPI_Datatype datatype, int root,
                            MPI_Comm comm) {
    const Names names{"buffer", "count", "", "datatype"};
    const auto side = one_block(names, buffer, count, datatype);
    return {{collectives::Kind::bcast, side, side, root}, comm};
}

inline CollectiveCall gather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                             MPI_Comm comm) {
    return {{collectives::Kind::gather, one_block(send_names, sendbuf, sendcount, sendtype),
             equal_blocks(recv_names, recvbuf, recvcount, recvtype), root},
            comm};
}

template <typename Count, typename Displacement>
CollectiveCall gatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       const Count* recvcounts, const Displacement* displs, MPI_Datatype recvtype,
                       int root, MPI_Comm comm) {
    return {{collectives::Kind::gather, one_block(send_names, sendbuf, sendcount, sendtype),
             varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype), root},
            comm};
}

inline CollectiveCall scatter(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                              void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                              MPI_Comm comm) {
    return {{collectives::Kind::scatter, equal_blocks(send_names, sendbuf, sendcount, sendtype),
             one_block(recv_names, recvbuf, recvcount, recvtype), root},
            comm};
}

template <typename Count, typename Displacement>
CollectiveCall scatterv(const void* sendbuf, const Count* sendcounts, const Displacement* displs,
                        MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                        MPI_Datatype recvtype, int root, MPI_Comm comm) {
    return {{collectives::Kind::scatter,
             varying_blocks(send_displs_names, sendbuf, sendcounts, displs, sendtype),
             one_block(recv_names, recvbuf, recvcount, recvtype), root},
            comm};
}

inline CollectiveCall allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                MPI_Comm comm) {
    return {{collectives::Kind::allgather, one_block(send_names, sendbuf, sendcount, sendtype),
             equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
            comm};
}

template <typename Count, typename Displacement>
CollectiveCall allgatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                          void* recvbuf, const Count* recvcounts, const Displacement* displs,
                          MPI_Datatype recvtype, MPI_Comm comm) {
    return {{collectives::Kind::allgather, one_block(send_names, sendbuf, sendcount, sendtype),
             varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)},
            comm};
}

inline CollectiveCall alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                               MPI_Comm comm) {
    return {{collectives::Kind::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
             equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
            comm};
}

template <typename Count, typename Displacement>
CollectiveCall alltoallv(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls,
                         MPI_Datatype sendtype, void* recvbuf, const Count* recvcounts,
                         const Displacement* rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
    return {{collectives::Kind::alltoall,
             varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
             varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
            comm};
}

template <typename Count, typename Displacement>
CollectiveCall alltoallw(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls,
                         const MPI_Datatype* sendtypes, void* recvbuf, const Count* recvcounts,
                         const Displacement* rdispls, const MPI_Datatype* recvtypes,
                         MPI_Comm comm) {
    return {{collectives::Kind::alltoall,
             typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
             typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
            comm};
}

constexpr Names names_of_reduction(const char* buffer, const char* count) {
    return {buffer, count, "", "datatype"};
}

/// One block on both sides.
inline CollectiveCall reduction(collectives::Kind kind, const void* sendbuf, void* recvbuf,
                                MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                                MPI_Comm comm) {
    return {{kind, one_block(names_of_reduction("sendbuf", "count"), sendbuf, count, datatype),
             one_block(names_of_reduction("recvbuf", "count"), recvbuf, count, datatype), root, op},
            comm};
}

inline CollectiveCall reduce(const void* sendbuf, void* recvbuf, MPI_Count count,
                             MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
    return reduction(collectives::Kind::reduce, sendbuf, recvbuf, count, datatype, op, root, comm);
}

inline CollectiveCall allreduce(const void* sendbuf, void* recvbuf, MPI_Count count,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduction(collectives::Kind::allreduce, sendbuf, recvbuf, count, datatype, op, 0, comm);
}

inline CollectiveCall scan(const void* sendbuf, void* recvbuf, MPI_Count count,
                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduction(collectives::Kind::scan, sendbuf, recvbuf, count, datatype, op, 0, comm);
}

inline CollectiveCall exscan(const void* sendbuf, void* recvbuf, MPI_Count count,
                             MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return reduction(collectives::Kind::exscan, sendbuf, recvbuf, count, datatype, op, 0, comm);
}

inline CollectiveCall reduce_scatter_block(const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const auto sent = names_of_reduction("sendbuf", "recvcount");
    const auto received = names_of_reduction("recvbuf", "recvcount");
    return {{collectives::Kind::reduce_scatter, equal_blocks(sent, sendbuf, recvcount, datatype),
             one_block(received, recvbuf, recvcount, datatype), 0, op},
            comm};
}

/// This rank receives block `rank` of recvcounts, at the start of recvbuf.
template <typename Count>
CollectiveCall reduce_scatter(const void* sendbuf, void* recvbuf, const Count* recvcounts,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    auto send = consecutive_blocks(names_of_reduction("sendbuf", "recvcounts"), sendbuf, recvcounts,
                                   datatype);
    auto recv = consecutive_blocks(names_of_reduction("recvbuf", "recvcounts"), recvbuf, recvcounts,
                                   datatype);
    recv.order = arguments::BlockOrder::at_start;
    return {{collectives::Kind::reduce_scatter, std::move(send), std::move(recv), 0, op}, comm};
}

}  // namespace carpool::api
