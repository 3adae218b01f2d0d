// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace carpool::device {

/// A copy of pieces of equal length, evenly spaced on both sides.
struct Strip {
    const std::byte* from;
    std::byte* to;
    std::int64_t length;  ///< bytes of a piece
    std::int64_t from_stride;
    std::int64_t to_stride;
    std::int64_t pieces;
};

}  // namespace carpool::device
