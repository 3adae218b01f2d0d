#pragma once

#include <cstdint>

namespace carpool::engine {

/// What a communication puts into the memory that ranks share.
struct SharedUse {
    std::int64_t bytes = 0;           ///< put there by one start
    std::int64_t without_memory = 0;  ///< messages sent by MPI so far, for want of memory
};

}  // namespace carpool::engine
