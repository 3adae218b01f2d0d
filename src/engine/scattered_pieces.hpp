// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace carpool::engine {

/// Copies of short pieces of equal length that lie one behind the other on one side, and anywhere
/// on the other: gathers and scatters by index, with one number per piece.
class ScatteredPieces {
public:
    enum class Side { read, written };  ///< the one where pieces lie anywhere

    /// Begins a group of pieces.
    /// @param from, to  where the first piece lies on either side
    void begin_group(Side scattered, const std::byte* from, std::byte* to, std::int64_t length) {
        groups_.push_back({scattered, from, to, length, offsets_.size(), offsets_.size()});
        origin_ = 0;
    }

    /// Adds the next piece of the group. @param offset  on the scattered side, from the first piece
    void add_piece(std::int64_t offset) {
        if (!std::in_range<Offset>(offset - origin_)) begin_again(offset);
        offsets_.push_back(static_cast<Offset>(offset - origin_));
        groups_.back().end = offsets_.size();
    }

    void append(const ScatteredPieces& other);

    void clear() {
        groups_.clear();
        offsets_.clear();
    }

    /// Copies all pieces, with both sides moved by so many bytes.
    void run(std::ptrdiff_t from_shift, std::ptrdiff_t to_shift) const;

private:
    using Offset = std::int32_t;  // short, since reading offsets is much of the work

    struct Group {
        Side scattered;
        const std::byte* from;
        std::byte* to;
        std::int64_t length;
        std::size_t first;  // its offsets
        std::size_t end;
    };

    void begin_again(std::int64_t offset);

    std::vector<Group> groups_;
    std::vector<Offset> offsets_;
    std::int64_t origin_ =
        0;  // of the last group, from the first piece that begin_group() was told
};

}  // namespace carpool::engine
