#pragma once

#include "call/bound_call.hpp"
#include "call/contest.hpp"
#include "call/context.hpp"
#include "call/family.hpp"
#include "call/plans.hpp"

#include <memory>
#include <vector>

namespace carpool::call {

/// Ways to do what is asked for: several if the request is to find out which is the fastest.
struct Ways {
    std::vector<Planned> plans = {};
    Contest contest = {};
};

/// What is planned, with the user's buffers and all that a start needs. Several ways are tried at
/// work. @note Collective if MPI's own collective is among the ways.
std::shared_ptr<BoundCall> bound(Family& family, Ways ways, const CallContext& context);

}  // namespace carpool::call
