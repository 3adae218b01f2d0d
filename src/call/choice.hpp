// SPDX-License-Identifier: MIT
#pragma once

#include "call/context.hpp"
#include "call/family.hpp"
#include "call/schedule_writer.hpp"
#include "call/selection.hpp"
#include "engine/steps.hpp"

namespace carpool::call {

/// The candidate of a call, with its schedule on this rank, and how it was selected.
struct Choice {
    CandidateSchedule candidate;
    Selection selection;
};

/// Chooses a candidate: the cheapest or, if all ranks wait in an init and there are several
/// contenders, the one measured to be the fastest.
/// @param host_may  the host MPI's persistent collective may replace the request, on all ranks
/// @pre family and context outlive the steps
engine::Steps<Choice> choice_of(const CallContext& context, Family& family, bool host_may);

}  // namespace carpool::call
