#pragma once

#include <cstdint>

namespace carpool::routing {

/// A coordinate, and how many blocks travel by it.
struct Value {
    int value;
    std::int64_t blocks;
};

/// May a sum of steps pass beyond its value, or go the other way first?
enum class Signs {
    own,    ///< no: on a mesh a route must stay between its ends
    mixed,  ///< yes: on a torus {-2 .. 2} are sums of 1, 2 and -2
};

}  // namespace carpool::routing
