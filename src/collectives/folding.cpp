// SPDX-License-Identifier: MIT
#include "collectives/folding.hpp"

#include "base/expects.hpp"

#include <bit>

namespace carpool::collectives {
namespace {

int largest_power_of_two(int most) {
    return static_cast<int>(std::bit_floor(static_cast<unsigned>(most)));
}

}  // namespace

Folding::Folding(int ranks, int first)
    : Folding(Groups(ranks, largest_power_of_two(ranks), first)) {}

Folding::Folding(const Groups& groups)
    : Groups(groups), bits_(std::bit_width(static_cast<unsigned>(groups.groups())) - 1) {
    CARPOOL_EXPECTS(groups.groups() == 1 << bits_, groups.groups());
}

int Folding::reversed(int group) const {
    int number = 0;
    for (int bit = 0; bit < bits_; ++bit) number = number << 1 | (group >> bit & 1);
    return number;
}

}  // namespace carpool::collectives
