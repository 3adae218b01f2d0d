// SPDX-License-Identifier: MIT
#pragma once

#include "api/forms.hpp"
#include "api/sides.hpp"
#include "neighbor/begun_at_host.hpp"
#include "neighbor/init.hpp"

#include <mpi.h>

#include <memory>
#include <utility>

namespace carpool::api {

/// A neighborhood collective as called: everything except whether it is blocking, nonblocking or
/// persistent.
struct NeighborhoodCall {
    neighbor::NeighborArguments arguments;
    MPI_Comm comm;
};

inline std::unique_ptr<engine::Request> once(const NeighborhoodCall& call,
                                             call::HostNonblockingCall::Begin otherwise = {}) {
    return neighbor::once(call.comm, call.arguments, std::move(otherwise));
}

inline std::uint64_t digest_of(const NeighborhoodCall& call) {
    return neighbor::digest_of(call.comm, call.arguments);
}

inline void check_arguments(const NeighborhoodCall& call) {
    neighbor::check_arguments(call.comm, call.arguments);
}

inline MPI_Request begun_at_host(const char* function, const NeighborhoodCall& call) {
    return neighbor::begun_at_host(function, call.comm, call.arguments);
}

inline std::shared_ptr<call::BoundCall> filled(const NeighborhoodCall& call) {
    return neighbor::filled(call.comm, call.arguments);
}

inline std::unique_ptr<engine::Request> initialised(const NeighborhoodCall& call, MPI_Info info,
                                                    call::Return when) {
    return neighbor::initialised(call.comm, call.arguments, info, when);
}

// One function per operation describes the blocks of its arguments.

inline NeighborhoodCall neighbor_alltoall(const void* sendbuf, MPI_Count sendcount,
                                          MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                                          MPI_Datatype recvtype, MPI_Comm comm) {
    return {{schedule::Operation::alltoall, equal_blocks(send_names, sendbuf, sendcount, sendtype),
             equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
            comm};
}

template <typename Count, typename Displacement>
NeighborhoodCall neighbor_alltoallv(const void* sendbuf, const Count* sendcounts,
                                    const Displacement* sdispls, MPI_Datatype sendtype,
                                    void* recvbuf, const Count* recvcounts,
                                    const Displacement* rdispls, MPI_Datatype recvtype,
                                    MPI_Comm comm) {
    return {{schedule::Operation::alltoall,
             varying_blocks(send_v_names, sendbuf, sendcounts, sdispls, sendtype),
             varying_blocks(recv_v_names, recvbuf, recvcounts, rdispls, recvtype)},
            comm};
}

template <typename Count>
NeighborhoodCall neighbor_alltoallw(const void* sendbuf, const Count* sendcounts,
                                    const MPI_Aint* sdispls, const MPI_Datatype* sendtypes,
                                    void* recvbuf, const Count* recvcounts, const MPI_Aint* rdispls,
                                    const MPI_Datatype* recvtypes, MPI_Comm comm) {
    return {{schedule::Operation::alltoall,
             typed_blocks(send_w_names, sendbuf, sendcounts, sdispls, sendtypes),
             typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
            comm};
}

inline NeighborhoodCall neighbor_allgather(const void* sendbuf, MPI_Count sendcount,
                                           MPI_Datatype sendtype, void* recvbuf,
                                           MPI_Count recvcount, MPI_Datatype recvtype,
                                           MPI_Comm comm) {
    return {{schedule::Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
             equal_blocks(recv_names, recvbuf, recvcount, recvtype)},
            comm};
}

template <typename Count, typename Displacement>
NeighborhoodCall neighbor_allgatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                                     void* recvbuf, const Count* recvcounts,
                                     const Displacement* displs, MPI_Datatype recvtype,
                                     MPI_Comm comm) {
    return {{schedule::Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
             varying_blocks(recv_displs_names, recvbuf, recvcounts, displs, recvtype)},
            comm};
}

template <typename Count>
NeighborhoodCall neighbor_allgatherw(const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                                     void* recvbuf, const Count* recvcounts,
                                     const MPI_Aint* rdispls, const MPI_Datatype* recvtypes,
                                     MPI_Comm comm) {
    return {{schedule::Operation::allgather, equal_blocks(send_names, sendbuf, sendcount, sendtype),
             typed_blocks(recv_w_names, recvbuf, recvcounts, rdispls, recvtypes)},
            comm};
}

/// All blocks of both sides have the same count and type.
inline NeighborhoodCall neighbor_reduction(schedule::Operation operation, const char* count_name,
                                           const void* sendbuf, void* recvbuf, MPI_Count count,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    const Names sent{"sendbuf", count_name, "", "datatype"};
    const Names received{"recvbuf", count_name, "", "datatype"};
    return {{operation, equal_blocks(sent, sendbuf, count, datatype),
             equal_blocks(received, recvbuf, count, datatype), op},
            comm};
}

inline NeighborhoodCall neighbor_reduce(const void* sendbuf, void* recvbuf, MPI_Count count,
                                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
    return neighbor_reduction(schedule::Operation::reduce, "count", sendbuf, recvbuf, count,
                              datatype, op, comm);
}

inline NeighborhoodCall neighbor_reduce_scatter_block(const void* sendbuf, void* recvbuf,
                                                      MPI_Count recvcount, MPI_Datatype datatype,
                                                      MPI_Op op, MPI_Comm comm) {
    return neighbor_reduction(schedule::Operation::reduce_scatter_block, "recvcount", sendbuf,
                              recvbuf, recvcount, datatype, op, comm);
}

}  // namespace carpool::api
