// SPDX-License-Identifier: MIT
#pragma once

#include "call/bound_call.hpp"
#include "call/context.hpp"
#include "call/family.hpp"
#include "call/schedule_writer.hpp"
#include "call/selection.hpp"

#include <memory>

namespace carpool::call {

/// Binds a planned call to the user's buffers and all that a start needs.
/// @note Collective if the host MPI's persistent collective replaces it.
std::shared_ptr<BoundCall> bind_call(Family& family, CandidateSchedule candidate,
                                     const Selection& selection, const CallContext& context);

}  // namespace carpool::call
