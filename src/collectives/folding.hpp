// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/groups.hpp"

namespace carpool::collectives {

/// The ranks in 2^m groups, for algorithms that pair groups by the bits of their numbers.
class Folding : public Groups {
public:
    /// As many groups as can be: each has one or two ranks. @param first  the leader of group 0
    explicit Folding(int ranks, int first = 0);

    /// Groups whose number is a power of two.
    explicit Folding(const Groups& groups);

    int bits() const { return bits_; }

    /// The number of phases if leaders exchange parts `times` times for each bit. Where there are
    /// followers, one phase more is before these and one after them.
    int phases(int times) const { return times * bits_ + (has_followers() ? 2 : 0); }

    /// The number of a group with its bits in reverse order. If groups take pieces of a block by
    /// this number, the pieces of all groups that have the same lowest bits lie side by side.
    int reversed(int group) const;

private:
    int bits_;
};

}  // namespace carpool::collectives
