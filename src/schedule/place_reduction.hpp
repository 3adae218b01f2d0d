// SPDX-License-Identifier: MIT
#pragma once

#include "routing/itinerary.hpp"
#include "schedule/schedule.hpp"

namespace carpool::schedule {

/// How an operator may be applied to summands.
enum class SummandOrder {
    commuting,  ///< in any order; ranks are added in ascending order all the same
    in_order,   ///< as they stand, by an operator that does not commute
};

/// The schedule of one rank for a multicast run backwards: every target has a block for each of its
/// positions, and the origin adds what comes to its own block. Where the multicast would send a
/// block to several ranks, what these send is summed on its way.
///
/// Send slots are the blocks of this rank's positions, then its own blocks by label; receive slots
/// are the sums, by label. The own block comes first in a sum, then what comes from the ranks,
/// ascending; the blocks that one rank has for a sum are added there first.
/// The operator is applied to temporary blocks only; send and receive blocks may have any layout.
///
/// @param itinerary  of the multicast; knows the sizes of blocks
/// @param positions  how many positions this rank receives in the multicast
/// @param phases     the largest number of phases in the itinerary of any rank
/// @pre with SummandOrder::in_order every block takes one hop, so that all summands reach the
/// origin
Schedule place_reduction(const routing::Itinerary& itinerary, int rank, int positions, int phases,
                         SummandOrder summing);

}  // namespace carpool::schedule
