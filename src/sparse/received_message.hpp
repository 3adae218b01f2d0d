#pragma once

#include "sparse/delivery.hpp"

#include <cstddef>
#include <span>

namespace carpool::sparse {

/// A message that has come.
struct ReceivedMessage {
    std::span<const std::byte> bytes;
    ParcelMemory memory = {};  ///< where they lie; null where that is lent, for a while
};

}  // namespace carpool::sparse
