#include "collectives/folding.hpp"

#include <bit>

namespace carpool::collectives {

Folding::Folding(int ranks)
    : bits_(std::bit_width(static_cast<unsigned>(ranks)) - 1), pairs_(ranks - (1 << bits_)) {}

}  // namespace carpool::collectives
