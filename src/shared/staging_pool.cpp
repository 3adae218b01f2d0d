#include "shared/staging_pool.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <mutex>

namespace carpool::shared {

bool StagingBuffer::is_read() const { return std::ranges::all_of(readings, &Reading::ended); }

std::size_t StagingPool::line_of(std::size_t piece) {
    const auto octave = static_cast<std::size_t>(std::bit_width(piece - 1));
    return 2 * octave - (std::has_single_bit(piece) ? 0 : 1);
}

/// A free one among the first so many.
std::optional<StagingPool::Buffer> StagingPool::free_one(Line& line, std::size_t first_many) {
    for (auto left = std::min(first_many, line.size()); left > 0; --left) {
        const auto first = line.begin();
        line.splice(line.end(), line, first);
        if (!first->taken && first->is_read()) return first;
    }
    return std::nullopt;
}

/// A buffer of a size above that of a line, where there is no memory for another one.
std::optional<StagingPool::Buffer> StagingPool::larger(std::size_t line) {
    for (auto next = line + 1; next < lines_.size(); ++next)
        if (const auto one = free_one(lines_[next], lines_[next].size())) return one;
    return std::nullopt;
}

std::optional<StagingPool::Buffer> StagingPool::found(std::size_t bytes) {
    constexpr std::size_t few = 3;  // more would take longer than another one
    const auto piece = Memory::piece(bytes);
    auto& line = lines_[line_of(piece)];
    if (const auto one = free_one(line, few)) return one;
    const auto offset = memory_.take(piece);
    if (!offset) return larger(line_of(piece));
    line.push_back({*offset, piece});
    return std::prev(line.end());
}

StagingPool::Taken StagingPool::take(std::size_t bytes, const std::optional<Use>& earlier) {
    const std::lock_guard lock(mutex_);
    const bool same = earlier && earlier->buffer->uses == earlier->number;
    if (same && !earlier->buffer->is_read()) return {{}, true};
    if (!memory_.lets_take()) return {};
    const bool fits = same && bytes <= earlier->buffer->bytes;
    const auto one = fits ? std::optional(earlier->buffer) : found(bytes);
    if (!one) return {};
    auto& buffer = **one;
    buffer.readings.clear();
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
