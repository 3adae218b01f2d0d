#pragma once

#include "collectives/folding.hpp"
#include "collectives/script.hpp"

#include <optional>
#include <vector>

namespace carpool::collectives {

/// Stages in which leaders of groups meet those whose numbers differ from theirs by one bit.
/// Each takes as many phases on all ranks; followers do nothing but in fold and unfold.

/// Per group the parts of its ranks. @param of_ranks  those of each rank
std::vector<Parts> by_group(const Folding& folding, const std::vector<Parts>& of_ranks);

/// Followers hand their parts to their leaders, who return the sums; followers return nothing.
Parts fold(Script& script, const Folding& folding, const Parts& own);

/// Leaders hand parts to their followers.
void unfold(Script& script, const Folding& folding, const Parts& leaders, const Parts& followers);

/// Recursive doubling: each leader ends with all summands of each part, in the order of ranks, the
/// same on all; they are summed but for the last step.
std::vector<Parts> sum_everywhere(Script& script, const Folding& folding, Parts own);

/// In which order bits are taken: far partners first leaves what a group holds in one piece; near
/// partners first sums in the order of ranks.
enum class Bits { far_first, near_first };

/// Far partners first, where sums need not stand in the order of ranks.
Bits bits_of(const Problem& problem);

/// Recursive halving: of the parts of each group, group g's leader ends with the summands of those
/// of group g, summed but for the last step.
/// @param held  the parts of each group, alike on all leaders but for their content
std::vector<Parts> sum_scattered(Script& script, const Folding& folding, Bits bits,
                                 std::vector<Parts> held);

/// The way back: each leader has the parts of its group and ends with those of all, or only the
/// leader of one group does.
/// @param held    per group where its parts lie, or shall come to lie
/// @param target  that group
void collect(Script& script, const Folding& folding, Bits bits, const std::vector<Parts>& held,
             std::optional<int> target = {});

}  // namespace carpool::collectives
