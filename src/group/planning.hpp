#pragma once

#include "call/signature.hpp"
#include "engine/steps.hpp"
#include "group/binding.hpp"
#include "group/call.hpp"
#include "group/settings.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::group {

/// What a rank brings to a call: its arguments and settings, or what is wrong with them.
struct Intent {
    std::shared_ptr<Call> call;
    Settings settings;
    std::vector<mpi::Claim> claims;
    std::optional<mpi::Error> mistake;
    bool first = true;     ///< call of any kind on this communicator
    bool together = true;  ///< no rank leaves the call before it has ended
    bool persistent = true;
    std::shared_ptr<Bound> known = {};  ///< from an earlier call with the same arguments
    call::Signature signature = {};     ///< of these, if they may come again
};

/// Where a call travels.
struct Ticket {
    MPI_Comm comm;
    std::shared_ptr<mpi::CommState> state;  ///< of comm
    int tag;
    std::int64_t number;  ///< of the call on comm
};

/// Agrees on a call, learns the sizes that it needs, chooses an algorithm and binds it. Posts the
/// agreement before it waits for anything. @note Collective over the ticket's communicator.
engine::Steps planned(Ticket ticket, Intent intent);

}  // namespace carpool::group
