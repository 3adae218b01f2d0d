#include "routing/ways.hpp"

#include "routing/digits.hpp"

#include <cstddef>

namespace carpool::routing {

int side_of(int ranks, int power) {
    int side = 1;
    while (span_of(std::vector<int>(static_cast<std::size_t>(power), side)) < ranks) ++side;
    return side;
}

}  // namespace carpool::routing
