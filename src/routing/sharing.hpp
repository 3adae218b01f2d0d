// SPDX-License-Identifier: MIT
#pragma once

#include "routing/destinations.hpp"
#include "routing/itinerary.hpp"
#include "routing/matching.hpp"
#include "routing/program.hpp"
#include "routing/rank_set.hpp"
#include "routing/rule.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace carpool::routing {

enum class CombiningPolicy {
    once,  ///< each target is shared with one friend, as in [3]
    again  ///< what a friend took over is shared with further friends, as [3] §VII proposes
};

/// One rank's part in [3] algorithm 1: the blocks that it is still to send to each target, and the
/// ranks with which it shares targets. Of each pair of functions, the first makes the messages that
/// the rank sends in a superstep, and the second reads those that it receives.
///
/// A rank without friends never gets any, since common targets only become fewer. It therefore
/// marks itself on the board, and its targets send it nothing from then on, where [3] notifies all
/// active neighbors.
class Sharing {
public:
    Sharing(const GraphView& view, Pattern pattern, CombiningPolicy combining);

    /// Sends every source the set of all sources, if that has changed ([3] §IV-B1 and 3).
    SuperstepMessages tell_sources();
    void read_rows(SuperstepMessages rows);

    /// The ranks that have at least theta targets in common with this one.
    std::vector<Friend> friends();

    /// Divides the common targets: the lower rank keeps the first half, the other rank the second.
    /// Sends the partner the blocks for its half, and sends the targets of its own half the ranks
    /// that will not send to them any more. If some rank has no friends, the board shows which
    /// ranks have none, with or without a partner.
    SuperstepMessages divide(const Match& matched);
    void read_division(const SuperstepMessages& division, int partner);

    /// Routes the remaining blocks to their targets, and sends each target the names of its blocks.
    SuperstepMessages finish();
    Itinerary read_finish(const SuperstepMessages& last);

private:
    /// A rank that is still to receive blocks from this one.
    struct Target {
        int rank;
        std::vector<int> bundle;  ///< stops of the blocks that it gets in one message
        RankSet sources;          ///< its row of the matrix M of [3]: all ranks that send to it
    };

    bool sized() const { return view_.bytes != nullptr; }
    std::vector<SuperstepMessage> divided(int partner);
    Marks marks() const;
    int phase_after(std::span<const int> stops) const;
    std::shared_ptr<const Words> hand_over(int partner, std::span<const Target> targets);
    void take_over(const SuperstepMessage& message);
    void forget_sources(std::vector<int> gone, const Board* friendless);

    GraphView view_;
    CombiningPolicy combining_;
    Itinerary itinerary_;
    Destinations destinations_;
    std::vector<BlockName> names_;    // per stop
    std::vector<Target> targets_;     // active, by ascending rank
    std::vector<Target> taken_over_;  // with blocks of both partners, in this iteration
    std::vector<Target> served_;      // targets that get a combined message
    std::vector<int> sources_;        // active, ascending
    bool sources_are_news_ = true;
    bool friendless_ = false;
};

}  // namespace carpool::routing
