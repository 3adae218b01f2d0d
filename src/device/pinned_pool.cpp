// SPDX-License-Identifier: MIT
#include "device/pinned_pool.hpp"

#include <algorithm>
#include <mutex>
#include <new>

namespace carpool::device {

PinnedBuffer::~PinnedBuffer() {
    if (pool_ != nullptr) pool_->give_back(memory_);
}

/// The last chunk if it has room, else a new one.
PinnedPool::Chunk& PinnedPool::chunk_with(std::size_t bytes) {
    constexpr std::size_t least = 256 << 10;
    if (!chunks_.empty() && chunks_.back().bytes - chunks_.back().cut >= bytes)
        return chunks_.back();
    const auto size = std::max(bytes, least);
    chunks_.reserve(chunks_.size() + 1);
    void* const memory = source_.allocate(size);
    if (memory == nullptr) throw std::bad_alloc();
    return chunks_.emplace_back(Chunk{static_cast<std::byte*>(memory), size});
}

PinnedBuffer PinnedPool::take(std::size_t bytes) {
    constexpr std::size_t alignment = 256;
    const auto aligned = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    const std::lock_guard lock(mutex_);
    auto& chunk = chunk_with(aligned);
    auto* const piece = chunk.memory + chunk.cut;
    chunk.cut += aligned;
    ++chunk.pieces;
    return PinnedBuffer(*this, piece, aligned);
}

void PinnedPool::give_back(std::byte* piece) {
    const std::lock_guard lock(mutex_);
    const auto chunk = std::ranges::find_if(chunks_, [piece](const Chunk& one) {
        return piece >= one.memory && piece < one.memory + one.bytes;
    });
    if (--chunk->pieces > 0) return;
    source_.free(chunk->memory);
    chunks_.erase(chunk);
}

}  // namespace carpool::device
