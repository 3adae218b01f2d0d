#pragma once

#include "call/side.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::api {

/// Names of the arguments of one side, for error texts.
struct Names {
    const char* buffer;
    const char* count;
    const char* displacement;
    const char* type;
};

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

/// One block, which every index means.
inline call::Side one_block(const Names& names, const void* buffer, MPI_Count count,
                            MPI_Datatype type) {
    return {names.buffer,
            names.count,
            names.type,
            bytes_at(buffer),
            {},
            false,
            false,
            [count](int) { return count; },
            [type](int) { return type; },
            [](int) { return std::int64_t{0}; }};
}

/// Blocks of one count and type, one behind the other.
inline call::Side equal_blocks(const Names& names, const void* buffer, MPI_Count count,
                               MPI_Datatype type) {
    return {names.buffer,
            names.count,
            names.type,
            bytes_at(buffer),
            {},
            false,
            false,
            [count](int) { return count; },
            [type](int) { return type; },
            [count](int i) { return std::int64_t{i} * count; }};
}

/// Blocks of one type, each with a count and a displacement in extents of the type.
template <typename Count, typename Displacement>
call::Side varying_blocks(const Names& names, const void* buffer, const Count* counts,
                          const Displacement* displacements, MPI_Datatype type) {
    return {names.buffer,
            names.count,
            names.type,
            bytes_at(buffer),
            {{names.count, counts}, {names.displacement, displacements}},
            true,
            false,
            [counts](int i) { return MPI_Count{counts[i]}; },
            [type](int) { return type; },
            [displacements](int i) { return std::int64_t{displacements[i]}; }};
}

/// Blocks of one type with a count each, one behind the other. Their number need not be known:
/// counts are added up as far as the largest index that is asked for.
template <typename Count>
call::Side consecutive_blocks(const Names& names, const void* buffer, const Count* counts,
                              MPI_Datatype type) {
    return {names.buffer,
            names.count,
            names.type,
            bytes_at(buffer),
            {{names.count, counts}},
            true,
            false,
            [counts](int i) { return MPI_Count{counts[i]}; },
            [type](int) { return type; },
            [counts, ends = std::vector<std::int64_t>{0}](int i) mutable {
                while (ends.size() <= static_cast<std::size_t>(i))
                    ends.push_back(ends.back() + counts[ends.size() - 1]);
                return ends[static_cast<std::size_t>(i)];
            }};
}

/// Blocks with a count, a displacement in bytes and a type each.
template <typename Count, typename Displacement>
call::Side typed_blocks(const Names& names, const void* buffer, const Count* counts,
                        const Displacement* displacements, const MPI_Datatype* types) {
    return {names.buffer,
            names.count,
            names.type,
            bytes_at(buffer),
            {{names.count, counts}, {names.displacement, displacements}, {names.type, types}},
            true,
            true,
            [counts](int i) { return MPI_Count{counts[i]}; },
            [types](int i) { return types[i]; },
            [displacements](int i) { return std::int64_t{displacements[i]}; }};
}

}  // namespace carpool::api
