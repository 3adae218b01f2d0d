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

enum class Combining {
    once,  ///< each target is shared with one friend, as in [3]
    again  ///< what a friend took over is shared with further friends, as [3] §VII proposes
};

/// One rank's part in [3] algorithm 1: what it is still to send to whom, and with whom it shares
/// that. Each pair of functions is what a rank says in a superstep, and what it makes of what it
/// hears.
///
/// A rank without friends never gets any, since common targets only become fewer; so it says so,
/// and from then on its targets tell it nothing, where [3] tells all active neighbors.
class Sharing {
public:
    Sharing(const GraphView& view, Pattern pattern, Combining combining);

    /// Tells the sources who all of them are, if that has changed: [3] §IV-B1 and 3.
    SuperstepMessages tell_sources();
    void read_rows(SuperstepMessages rows);

    /// Ranks that have theta targets in common with this one, or more.
    std::vector<Friend> friends();

    /// Divides the common targets: the lower rank keeps the first half, the other the second.
    /// Offloads the partner's, and tells one's own who will not come to them any more. Without a
    /// partner it only says whether it has friends, if somebody has none.
    SuperstepMessages divide(const Match& matched);
    void read_division(const SuperstepMessages& division, int partner);

    /// Sends every target what is left for it, and tells it what that is.
    SuperstepMessages finish();
    Itinerary read_finish(const SuperstepMessages& last);

private:
    /// A rank that is still to get some blocks from here.
    struct Target {
        int rank;
        std::vector<int> bundle;  ///< stops of the blocks that it gets in one message
        RankSet sources;          ///< its row of the matrix M of [3]: all that come to it
    };

    std::vector<SuperstepMessage> divided(int partner);
    std::vector<std::uint64_t> board() const;
    int phase_after(std::span<const int> stops) const;
    std::shared_ptr<const Words> offload(int partner, std::span<const Target> targets);
    void onload(const SuperstepMessage& message);
    void forget_sources(std::vector<int> gone, std::span<const std::uint64_t> friendless);

    GraphView view_;
    Combining combining_;
    Itinerary itinerary_;
    Destinations destinations_;
    std::vector<BlockName> names_;  // of stops
    std::vector<Target> targets_;   // active, by ascending rank
    std::vector<Target> onloaded_;  // from both, in this iteration
    std::vector<Target> served_;    // get a combined message
    std::vector<int> sources_;      // active, ascending
    bool sources_are_news_ = true;
    bool friendless_ = false;
};

}  // namespace carpool::routing
