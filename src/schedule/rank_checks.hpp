// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/complaints.hpp"
#include "schedule/schedule.hpp"

namespace carpool::schedule {

/// Peers, phases, slots and sizes lie in range, and rounds ascend in phase.
void check_ranges(int rank, const Schedule& schedule, int ranks, Complaints& complaints);

/// No slot is written twice, no send slot at all, and what a round reads was written in an earlier
/// phase; what a copy reads is written at all.
///
/// @pre check_ranges had no complaint
void check_writes_and_reads(int rank, const Schedule& schedule, Complaints& complaints);

}  // namespace carpool::schedule
