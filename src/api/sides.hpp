// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/side.hpp"

#include <mpi.h>

#include <cstddef>

namespace carpool::api {

using arguments::Names;

inline constexpr Names send_names{"sendbuf", "sendcount", "", "sendtype"};
inline constexpr Names recv_names{"recvbuf", "recvcount", "", "recvtype"};
inline constexpr Names send_v_names{"sendbuf", "sendcounts", "sdispls", "sendtype"};
inline constexpr Names recv_v_names{"recvbuf", "recvcounts", "rdispls", "recvtype"};
inline constexpr Names send_displs_names{"sendbuf", "sendcounts", "displs", "sendtype"};
inline constexpr Names recv_displs_names{"recvbuf", "recvcounts", "displs", "recvtype"};
inline constexpr Names send_w_names{"sendbuf", "sendcounts", "sdispls", "sendtypes"};
inline constexpr Names recv_w_names{"recvbuf", "recvcounts", "rdispls", "recvtypes"};

inline std::byte* bytes_at(const void* buffer) {
    return static_cast<std::byte*>(const_cast<void*>(buffer));
}

/// A single block, whatever the index.
inline arguments::Side one_block(const Names& names, const void* buffer, MPI_Count count,
                                 MPI_Datatype type) {
    return {.names = names, .buffer = bytes_at(buffer), .counts = count, .one_type = type};
}

/// Blocks of one count and type, one after the other.
inline arguments::Side equal_blocks(const Names& names, const void* buffer, MPI_Count count,
                                    MPI_Datatype type) {
    return {.names = names,
            .buffer = bytes_at(buffer),
            .counts = count,
            .order = arguments::BlockOrder::behind,
            .one_type = type};
}

/// Blocks of one type, each with a count and a displacement in extents of the type.
template <typename Count, typename Displacement>
arguments::Side varying_blocks(const Names& names, const void* buffer, const Count* counts,
                               const Displacement* displacements, MPI_Datatype type) {
    return {.names = names,
            .buffer = bytes_at(buffer),
            .counts = counts,
            .order = arguments::BlockOrder::displaced,
            .displacements = displacements,
            .one_type = type};
}

/// Blocks of one type with a count each, one after the other.
template <typename Count>
arguments::Side consecutive_blocks(const Names& names, const void* buffer, const Count* counts,
                                   MPI_Datatype type) {
    return {.names = names,
            .buffer = bytes_at(buffer),
            .counts = counts,
            .order = arguments::BlockOrder::behind,
            .one_type = type};
}

/// Blocks with a count, a displacement in bytes and a type each.
template <typename Count, typename Displacement>
arguments::Side typed_blocks(const Names& names, const void* buffer, const Count* counts,
                             const Displacement* displacements, const MPI_Datatype* types) {
    return {.names = names,
            .buffer = bytes_at(buffer),
            .counts = counts,
            .order = arguments::BlockOrder::displaced,
            .displacements = displacements,
            .types = types,
            .varying_types = true};
}

}  // namespace carpool::api
