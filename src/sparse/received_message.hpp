#pragma once

#include "sparse/delivery.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace carpool::sparse {

/// A message that has come.
struct ReceivedMessage {
    std::span<const std::byte> bytes;
    Memory memory = {};  ///< where they lie; null where that is lent, for a while
};

inline Memory room_for(std::int64_t bytes) {
    return std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
}

}  // namespace carpool::sparse
