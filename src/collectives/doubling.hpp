#pragma once

#include "collectives/folding.hpp"
#include "collectives/script.hpp"

#include <optional>
#include <vector>

namespace carpool::collectives {

/// Stages in which the leaders of groups exchange parts with leaders whose group numbers differ
/// from theirs in one bit. A stage takes the same number of phases on all ranks; followers take
/// part in fold and unfold only.

/// The parts of the ranks of each group. @param of_ranks  the parts of each rank
std::vector<Parts> by_group(const Folding& folding, const std::vector<Parts>& of_ranks);

/// Followers send their parts to their leaders. Returns the sums on leaders, nothing on followers.
Parts fold(Script& script, const Folding& folding, const Parts& own);

/// Leaders send `leaders` to their followers, which receive them in `followers`.
void unfold(Script& script, const Folding& folding, const Parts& leaders, const Parts& followers);

/// Recursive doubling. Each leader ends with the last two summands of each part, in the order of
/// ranks; all earlier steps are summed. The sum of the two is the same on all leaders.
std::vector<Parts> sum_everywhere(Script& script, const Folding& folding, Parts own);

/// The order in which bits are taken. With far partners first, the parts that a group holds are
/// contiguous. With near partners first, summands are in the order of ranks.
enum class Bits { far_first, near_first };

/// Far partners first if summands need not be in the order of ranks, otherwise near partners first.
Bits bits_of(const Problem& problem);

/// Recursive halving: the leader of group g ends with the last two summands of each part of group
/// g; all earlier steps are summed.
/// @param held  the parts of each group; the same on all leaders but for their content
std::vector<Parts> sum_scattered(Script& script, const Folding& folding, Bits bits,
                                 std::vector<Parts> held);

/// The reverse of sum_scattered: each leader has the parts of its own group, and ends with those of
/// all groups.
/// @param held    where the parts of each group lie, or are to be received
/// @param target  the only group whose leader is to have all parts; nothing for all groups
void collect(Script& script, const Folding& folding, Bits bits, const std::vector<Parts>& held,
             std::optional<int> target = {});

}  // namespace carpool::collectives
