// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace carpool::engine {

/// How much shared memory a communication uses.
struct SharedUse {
    std::int64_t bytes = 0;           ///< bytes of staging buffers that one start fills
    std::int64_t without_memory = 0;  ///< messages sent by the host MPI so far, for want of memory
};

}  // namespace carpool::engine
