// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace carpool::routing {

/// A coordinate, and the number or total weight of the blocks that have it.
struct Value {
    int value;
    std::int64_t blocks;
};

/// May a partial sum of steps exceed its value, or start in the opposite direction?
enum class Signs {
    own,    ///< no: on a mesh a route must stay between its ends
    mixed,  ///< yes: on a torus {-2 .. 2} are sums of 1, 2 and -2
};

}  // namespace carpool::routing
