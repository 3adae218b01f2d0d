// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::device {

class PinnedPool;

/// A piece of pinned memory, which goes back to its pool.
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    PinnedBuffer(PinnedBuffer&& other) noexcept { *this = std::move(other); }
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(memory_, other.memory_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~PinnedBuffer();

    std::byte* get() const { return memory_; }
    std::size_t bytes() const { return bytes_; }

private:
    friend class PinnedPool;
    PinnedBuffer(PinnedPool& pool, std::byte* memory, std::size_t bytes)
        : pool_(&pool), memory_(memory), bytes_(bytes) {}

    PinnedPool* pool_ = nullptr;
    std::byte* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Memory of the host that a GPU reads and writes. A driver takes long to pin memory, so it is
/// asked for chunks, from which small pieces are cut; a chunk is freed once all its pieces are
/// back.
class PinnedPool {
public:
    struct Source {
        std::function<void*(std::size_t bytes)> allocate;  ///< returns null if there is none
        std::function<void(void*)> free;
    };

    explicit PinnedPool(Source source) : source_(std::move(source)) {}
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    /// A piece of at least so many bytes, aligned for all words of the kernel. Throws
    /// std::bad_alloc.
    PinnedBuffer take(std::size_t bytes);

private:
    friend class PinnedBuffer;

    struct Chunk {
        std::byte* memory;
        std::size_t bytes;
        std::size_t cut = 0;  // bytes that pieces have been cut from
        int pieces = 0;       // that are not back
    };

    void give_back(std::byte* piece);
    Chunk& chunk_with(std::size_t bytes);

    base::Mutex mutex_;
    Source source_;
    std::vector<Chunk> chunks_;
};

}  // namespace carpool::device
