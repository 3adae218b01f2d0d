// SPDX-License-Identifier: MIT
#pragma once

#include "engine/staging.hpp"
#include "mpi/types/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::sparse {

/// Memory into which a message, or a part of one, was received.
using ParcelMemory = engine::Staging;

/// A parcel that has arrived.
struct ArrivedParcel {
    int source;
    int order;  ///< its place in the list of its source
    std::int64_t bytes;
    const std::byte* data;
};

/// The blocks that a rank sends in one exchange, and the target of each.
struct SendList {
    std::vector<int> targets;
    std::vector<mpi::Block> blocks;  ///< without a shape where the target is MPI_PROC_NULL
};

/// All that a rank has received in one exchange, and the memory where it lies.
struct Delivery {
    std::vector<ArrivedParcel> parcels;  ///< by source, then order
    std::vector<ParcelMemory> memory;

    /// The blocks that the rank has sent, and the address of its send buffer.
    SendList sent = {};
    const std::byte* sendbuf = nullptr;
};

}  // namespace carpool::sparse
