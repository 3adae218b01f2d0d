#pragma once

#include "mpi/comm_state.hpp"
#include "routing/partner_schedule.hpp"
#include "sparse/preposted_receives.hpp"

namespace carpool::sparse {

/// What exchanges by fixed partners keep from one to the next that takes the same strategy with the
/// same tags.
struct PartnerState {
    PartnerState(const mpi::CommState& state, int tag, routing::PartnerSchedule schedule);

    routing::PartnerSchedule schedule;
    PrepostedReceives partners;
};

}  // namespace carpool::sparse
