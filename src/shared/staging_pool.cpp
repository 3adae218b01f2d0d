// SPDX-License-Identifier: MIT
#include "shared/staging_pool.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <mutex>

namespace carpool::shared {

bool StagingBuffer::is_read() const {
    return std::ranges::all_of(pending_reads, &PendingRead::ended);
}

std::size_t StagingPool::class_of(std::size_t piece) {
    const auto octave = static_cast<std::size_t>(std::bit_width(piece - 1));
    return 2 * octave - (std::has_single_bit(piece) ? 0 : 1);
}

/// Looks at the first buffers, at most that many, and returns the first that is free. Those it has
/// looked at move to the end.
std::optional<StagingPool::Buffer> StagingPool::free_one(SizeClass& buffers,
                                                         std::size_t first_many) {
    for (auto left = std::min(first_many, buffers.size()); left > 0; --left) {
        const auto first = buffers.begin();
        buffers.splice(buffers.end(), buffers, first);
        if (!first->taken && first->is_read()) return first;
    }
    return std::nullopt;
}

/// Finds any free buffer of that size class or a larger one, for when there is no memory for
/// another.
std::optional<StagingPool::Buffer> StagingPool::find_anywhere(std::size_t size_class) {
    for (auto next = size_class; next < classes_.size(); ++next)
        if (const auto one = free_one(classes_[next], classes_[next].size())) return one;
    return std::nullopt;
}

std::optional<StagingPool::Buffer> StagingPool::find_or_take(std::size_t bytes) {
    const auto piece = Memory::piece(bytes);
    auto& buffers = classes_[class_of(piece)];
    const auto some = 3 + buffers.size() / 8;  // looking at more takes longer than taking another
    if (const auto one = free_one(buffers, some)) return one;
    const bool may_take = memory_.in_use() + piece <= memory_.most() / 16 * 15;
    const auto offset = may_take ? memory_.take(piece) : std::nullopt;
    if (!offset) return find_anywhere(class_of(piece));
    buffers.push_back({*offset, piece});
    return std::prev(buffers.end());
}

StagingPool::TakeResult StagingPool::take(std::size_t bytes, const std::optional<Use>& earlier) {
    const std::lock_guard lock(mutex_);
    const bool same = earlier && earlier->buffer->uses == earlier->number;
    if (same && !earlier->buffer->is_read()) return {{}, true};
    if (!memory_.lets_take()) return {};
    const bool fits = same && bytes <= earlier->buffer->bytes;
    const auto one = fits ? std::optional(earlier->buffer) : find_or_take(bytes);
    if (!one) return {};
    auto& buffer = **one;
    buffer.pending_reads.clear();
    ++buffer.uses;
    buffer.taken = true;
    return {one};
}

StagingPool::Use StagingPool::give_back(Buffer buffer) {
    const std::lock_guard lock(mutex_);
    buffer->taken = false;
    return {buffer, buffer->uses};
}

}  // namespace carpool::shared
