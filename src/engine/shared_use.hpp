#pragma once

#include <cstdint>

namespace carpool::engine {

/// What a communication has of the memory that ranks share.
struct SharedUse {
    std::int64_t bytes = 0;         ///< of its rooms
    std::int64_t without_room = 0;  ///< messages that go by MPI, since there was no room left
};

}  // namespace carpool::engine
