#pragma once

#include "engine/staging.hpp"
#include "mpi/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::sparse {

/// Memory that a message came in, or a part of one.
using ParcelMemory = engine::Staging;

/// A parcel that has arrived.
struct ArrivedParcel {
    int source;
    int order;  ///< in the list of its source
    std::int64_t bytes;
    const std::byte* data;
};

/// What a rank gives to one exchange: blocks, and who is to get each.
struct SendList {
    std::vector<int> targets;
    std::vector<mpi::Block> blocks;  ///< without a shape where the target is nobody
};

/// All that has arrived for a rank in one exchange, and the memory where it lies.
struct Delivery {
    std::vector<ArrivedParcel> parcels;  ///< by source, then order
    std::vector<ParcelMemory> memory;

    /// What the rank has sent, and where its buffer began.
    SendList sent = {};
    const std::byte* sendbuf = nullptr;
};

}  // namespace carpool::sparse
