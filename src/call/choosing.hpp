// SPDX-License-Identifier: MIT
#pragma once

#include "call/context.hpp"
#include "call/family.hpp"
#include "call/plans.hpp"
#include "call/selection.hpp"
#include "engine/steps.hpp"

namespace carpool::call {

/// The candidate of a call, with its schedule on this rank, and how it was selected.
struct Choosing {
    Planned planned;
    Selection selection;
};

/// Chooses a candidate: the cheapest or, if all ranks wait in an init and there are several
/// contenders, the one measured to be the fastest.
/// @param host_may  the host MPI's persistent collective may replace the request, on all ranks
/// @pre family and context outlive the steps
engine::Steps<Choosing> chosen(const CallContext& context, Family& family, bool host_may);

}  // namespace carpool::call
