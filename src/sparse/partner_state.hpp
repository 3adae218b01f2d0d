// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/comm_state.hpp"
#include "routing/partner_schedule.hpp"
#include "sparse/preposted_receives.hpp"

namespace carpool::sparse {

/// The state that an exchange by fixed partners leaves to the next one with the same strategy and
/// the same tags.
struct PartnerState {
    PartnerState(const mpi::CommState& state, int tag, routing::PartnerSchedule partner_schedule);

    routing::PartnerSchedule schedule;
    PrepostedReceives receives;
};

}  // namespace carpool::sparse
