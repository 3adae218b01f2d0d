// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace carpool::engine {

/// Returns staging memory to its owner, for instance memory that is registered with a network or
/// lies on a GPU.
struct GiveBack {
    void (*take)(void* from, std::byte* memory) = nullptr;  ///< null for memory of the heap
    void* from = nullptr;                                   ///< the owner; outlives the memory

    void operator()(std::byte* memory) const {
        if (take != nullptr)
            take(from, memory);
        else
            delete[] memory;
    }
};

/// Memory of Carpool in which a message is assembled or received. A transport provides it, and
/// takes it back in the end.
using Staging = std::unique_ptr<std::byte[], GiveBack>;

/// Allocates staging memory on the heap.
inline Staging memory_for(std::int64_t bytes) {
    return Staging(
        std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes)).release());
}

}  // namespace carpool::engine
