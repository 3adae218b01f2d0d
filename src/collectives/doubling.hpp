// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/folding.hpp"
#include "collectives/script.hpp"
#include "collectives/tree_stages.hpp"

#include <optional>
#include <vector>

namespace carpool::collectives {

/// Stages in which the leaders of groups exchange parts with leaders whose group numbers differ
/// from theirs in one bit. A stage takes the same number of phases on all ranks; followers take
/// part in fold, hand_in and unfold only.

/// Followers send their parts to their leaders. Returns the sums on leaders, nothing on followers.
Parts fold(Script& script, const Groups& groups, const Parts& own);

/// Followers send their parts to their leaders, which receive them unsummed.
/// @param held  where the parts of a rank lie, or are to be received; called for this rank's group
void hand_in(Script& script, const Groups& groups, const PartsOf& held);

/// Leaders send their followers the parts that are for them. @param received  those of this rank
void unfold(Script& script, const Groups& groups, const PartsOf& handed, const Parts& received);

/// The same where all followers get all parts.
void unfold(Script& script, const Groups& groups, const Parts& parts);

/// Recursive doubling. Each leader ends with the last two summands of each part, in the order of
/// ranks; all earlier steps are summed. The sum of the two is the same on all leaders.
std::vector<Parts> sum_everywhere(Script& script, const Folding& folding, Parts own);

/// The order of partners in recursive halving, and in its reverse the last come first. Parts are
/// listed so that those which a group holds are contiguous: with far partners first in the order of
/// groups, with near partners first in that of their numbers with reversed bits.
///
///   4 groups, near first     group 0 sends parts 2 3 to group 1, then part 1 to group 2
///
/// With near partners first, far ones exchange the short messages, and summands are in the order of
/// ranks.
enum class Bits { far_first, near_first };

/// For parts that lie in the order of groups: far partners first if summands need not be in the
/// order of ranks, otherwise near partners first.
Bits bits_of(const Problem& problem);

/// The position of a group's parts; also the group of that position.
int position_of(const Folding& folding, Bits bits, int group);

/// The parts of the ranks of each group, by position. @param of_ranks  the parts of each rank
std::vector<Parts> by_group(const Folding& folding, Bits bits, const std::vector<Parts>& of_ranks);

/// Recursive halving: the leader of each group ends with the last two summands of each of the
/// group's parts; all earlier steps are summed.
/// @param held  the parts of each group by position, the same on all leaders but for their content
std::vector<Parts> sum_scattered(Script& script, const Folding& folding, Bits bits,
                                 std::vector<Parts> held);

/// The reverse of sum_scattered: each leader has the parts of its own group, and ends with those of
/// all groups.
/// @param held    by position, where the parts of each group lie, or are to be received
/// @param target  the only group whose leader is to have all parts; nothing for all groups
void collect(Script& script, const Folding& folding, Bits bits, const std::vector<Parts>& held,
             std::optional<int> target = {});

/// The leader of group 0 scatters the parts of all groups along a binomial tree.
void scatter(Script& script, const Folding& folding, Bits bits, const std::vector<Parts>& held);

/// As collect, after scatter: leaders do not receive again what they forwarded there.
void collect_scattered(Script& script, const Folding& folding, Bits bits,
                       const std::vector<Parts>& held);

}  // namespace carpool::collectives
