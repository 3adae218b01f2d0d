// SPDX-License-Identifier: MIT
#pragma once

#include "blocks.hpp"
#include "pattern.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

namespace bench {

/// One neighborhood collective in each of its forms, and the sizes at which a paper measured it.
struct Operation {
    std::string_view name;
    bool shared = false;  // one block goes to all neighbors
    std::int64_t (*block_bytes)(Offset, std::int64_t base) = nullptr;
    int (*host)(Blocks&, MPI_Comm) = nullptr;
    int (*host_nonblocking)(Blocks&, MPI_Comm, MPI_Request*) = nullptr;
    int (*host_persistent)(Blocks&, MPI_Comm, MPI_Info, MPI_Request*) = nullptr;
    int (*carpool)(Blocks&, MPI_Comm) = nullptr;
    int (*carpool_persistent)(Blocks&, MPI_Comm, MPI_Info, Carpool_Request*) = nullptr;
};

inline auto equal_arguments(Blocks& b) {
    const int count = b.counts.front();
    return std::tuple{b.send.data(), count, b.type, b.receive.data(), count, b.type};
}
inline auto v_arguments(Blocks& b) {
    return std::tuple{b.send.data(),    b.counts.data(), b.displacements.data(), b.type,
                      b.receive.data(), b.counts.data(), b.displacements.data(), b.type};
}
inline auto w_arguments(Blocks& b) {
    return std::tuple{
        b.send.data(),    b.counts.data(), b.byte_displacements.data(), b.types.data(),
        b.receive.data(), b.counts.data(), b.byte_displacements.data(), b.types.data()};
}

/// The call `function(arguments of b..., rest...)` as a plain function of b and the rest.
template <auto arguments, auto function, class... Rest>
int call(Blocks& b, Rest... rest) {
    return std::apply(function, std::tuple_cat(arguments(b), std::tuple{rest...}));
}

inline std::int64_t equal_bytes(Offset, std::int64_t base) { return base; }

/// m^(d - z) ints, so that corners have one, and 0 for the process itself (paper 2 §4.2, whose text
/// here has lost its superscripts; setup_comm_buffers_alltoallv in the authors' programs).
/// @pre base is that of m ints
inline std::int64_t shrinking_bytes(Offset offset, std::int64_t base) {
    constexpr std::int64_t int_bytes = 4;
    const int z = nonzeros(offset);
    if (z == 0) return 0;
    std::int64_t bytes = int_bytes;
    for (int k = z; k < static_cast<int>(offset.size()); ++k) bytes *= base / int_bytes;
    return bytes;
}

/// m^(d - ‖C‖): faces, edges and corners of a halo (paper 1 §4, figure 3).
inline std::int64_t halo_bytes(Offset offset, std::int64_t base) {
    std::int64_t bytes = 1;
    for (int k = manhattan(offset); k < static_cast<int>(offset.size()); ++k) bytes *= base;
    return bytes;
}

/// Binds the forms of one operation to the function that takes their arguments from Blocks.
template <auto arguments, auto host, auto host_nonblocking, auto host_init, auto carpool,
          auto carpool_init>
Operation operation(std::string_view name, bool shared,
                    std::int64_t (*bytes)(Offset, std::int64_t)) {
    Operation o{name, shared, bytes};
    o.host = call<arguments, host, MPI_Comm>;
    o.host_nonblocking = call<arguments, host_nonblocking, MPI_Comm, MPI_Request*>;
    o.host_persistent = call<arguments, host_init, MPI_Comm, MPI_Info, MPI_Request*>;
    o.carpool = call<arguments, carpool, MPI_Comm>;
    o.carpool_persistent = call<arguments, carpool_init, MPI_Comm, MPI_Info, Carpool_Request*>;
    return o;
}

/// A new operation, or new sizes for one, is one more entry.
inline const std::array operations{
    operation<equal_arguments, MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall,
              MPI_Neighbor_alltoall_init, Carpool_Neighbor_alltoall,
              Carpool_Neighbor_alltoall_init>("alltoall", false, equal_bytes),
    operation<equal_arguments, MPI_Neighbor_allgather, MPI_Ineighbor_allgather,
              MPI_Neighbor_allgather_init, Carpool_Neighbor_allgather,
              Carpool_Neighbor_allgather_init>("allgather", true, equal_bytes),
    operation<v_arguments, MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
              MPI_Neighbor_alltoallv_init, Carpool_Neighbor_alltoallv,
              Carpool_Neighbor_alltoallv_init>("alltoallv", false, shrinking_bytes),
    operation<w_arguments, MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
              MPI_Neighbor_alltoallw_init, Carpool_Neighbor_alltoallw,
              Carpool_Neighbor_alltoallw_init>("alltoallw", false, halo_bytes),
};

inline const Operation& operation_named(std::string_view name) {
    for (const auto& operation : operations)
        if (operation.name == name) return operation;
    throw std::runtime_error("no operation is named " + std::string(name));
}

}  // namespace bench
