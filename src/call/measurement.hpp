// SPDX-License-Identifier: MIT
#pragma once

#include "call/context.hpp"
#include "call/family.hpp"
#include "call/schedule_writer.hpp"
#include "call/selection.hpp"
#include "engine/steps.hpp"

#include <cstddef>
#include <vector>

namespace carpool::call {

/// The result of a measurement, the same on all ranks.
struct Measurement {
    std::size_t fastest = 0;  ///< the number of the schedule; one after the last: the host MPI
    double host_seconds = 0;  ///< what the host MPI takes on the slowest rank, if measured
};

/// Measures which of several schedules takes the least time on the slowest rank. All of them run in
/// several rounds, each in random order, on memory of the library's own; schedules that are far
/// behind drop out after the first round. The first one wins unless another is clearly faster, and
/// also if some rank has no memory for the measurement.
/// @param selection  says whether the host MPI's persistent collective takes part, and whether
/// ranks may run ahead
/// @note Collective. All ranks wait in a call, so load imbalance of the program is not measured.
/// @pre schedules, family, context and selection outlive the steps
engine::Steps<Measurement> fastest(const std::vector<CandidateSchedule>& schedules,
                                   const Family& family, const CallContext& context,
                                   const Selection& selection);

}  // namespace carpool::call
