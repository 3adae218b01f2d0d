#pragma once

#include <cstdint>

namespace carpool::engine {

/// What a communication has of the memory that ranks share.
struct SharedUse {
    std::int64_t bytes = 0;           ///< that a start puts there
    std::int64_t without_memory = 0;  ///< messages sent by MPI so far, since there was none left
};

}  // namespace carpool::engine
