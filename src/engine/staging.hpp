#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace carpool::engine {

/// Takes staging memory back for whom it is from: memory that is registered with a network, say, or
/// lies on a GPU.
struct GiveBack {
    void (*take)(void* from, std::byte* memory) = nullptr;  ///< null for memory of the heap
    void* from = nullptr;                                   ///< outlives the memory

    void operator()(std::byte* memory) const {
        if (take != nullptr)
            take(from, memory);
        else
            delete[] memory;
    }
};

/// Memory of the library's in which a message is put together or comes to lie. Its transport gives
/// it, and has it back in the end.
using Staging = std::unique_ptr<std::byte[], GiveBack>;

/// Of the heap.
inline Staging memory_for(std::int64_t bytes) {
    return Staging(
        std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes)).release());
}

}  // namespace carpool::engine
