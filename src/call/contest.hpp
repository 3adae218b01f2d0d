#pragma once

#include "call/context.hpp"
#include "call/family.hpp"
#include "call/sites.hpp"
#include "choose/cheapest.hpp"

#include <vector>

namespace carpool::call {

/// Which candidates are worth a schedule, and where to remember what comes of it.
struct Contest {
    std::vector<choose::Chosen> candidates;
    Sites::Key site = {};
    bool at_work = false;  ///< the request itself finds out which is the fastest
};

/// The cheapest candidate, the one that was fastest at this site before, or all that are to be
/// measured: now, unless ranks go on meanwhile, since the user's own work would be measured too; or
/// at work.
Contest contest(Family& family, const CallContext& context);

}  // namespace carpool::call
