// SPDX-License-Identifier: MIT
#include "routing/rule.hpp"

#include "routing/matching.hpp"
#include "routing/sharing.hpp"

#include <utility>

namespace carpool::routing {
namespace {

/// [3] algorithm 1. It iterates until no rank finds a partner, so all ranks make the same number of
/// iterations; a rank without friends only takes part in the supersteps.
Program<Itinerary> route(GraphView view, Pattern pattern, CombiningPolicy combining) {
    Sharing sharing(view, pattern, combining);
    bool repeated = false;  // the last matching had to try again, so the next one may have to
    while (true) {
        SuperstepMessages mine = sharing.tell_sources();
        SuperstepMessages rows = co_await superstep(std::move(mine));
        sharing.read_rows(std::move(rows));
        auto friends_now = sharing.friends();
        const Match matched =
            co_await match(view.rank, view.ranks, std::move(friends_now), repeated);
        if (!matched.anyone) break;
        repeated = matched.repeated;
        mine = sharing.divide(matched);
        const SuperstepMessages division = co_await superstep(std::move(mine));
        sharing.read_division(division, matched.partner);
    }
    SuperstepMessages mine = sharing.finish();
    const SuperstepMessages last = co_await superstep(std::move(mine));
    co_return sharing.read_finish(last);
}

Program<Itinerary> route_once(GraphView view, Pattern pattern) {
    return route(std::move(view), pattern, CombiningPolicy::once);
}

Program<Itinerary> route_cumulative(GraphView view, Pattern pattern) {
    return route(std::move(view), pattern, CombiningPolicy::again);
}

}  // namespace

const Rule friends{
    .name = "friends",
    .summary = "two ranks with common targets each serve half of them for both",
    .automatic = true,
    .route = route_once,
    .seeks_friends = true,
};

const Rule cumulative{
    .name = "cumulative",
    .summary = "as friends, and blocks taken over are shared with further friends",
    .route = route_cumulative,
    .seeks_friends = true,
};

}  // namespace carpool::routing
