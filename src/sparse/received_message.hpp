// SPDX-License-Identifier: MIT
#pragma once

#include "sparse/delivery.hpp"

#include <cstddef>
#include <span>

namespace carpool::sparse {

/// A message that has been received.
struct ReceivedMessage {
    std::span<const std::byte> bytes;
    ParcelMemory memory = {};  ///< where they lie; null if the memory is lent for a while
};

}  // namespace carpool::sparse
