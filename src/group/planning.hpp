#pragma once

#include "engine/steps.hpp"
#include "group/call.hpp"
#include "group/settings.hpp"
#include "mpi/agreement.hpp"
#include "mpi/error.hpp"
#include "mpi/lane.hpp"

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

namespace carpool::group {

/// What a rank brings to an initialisation: a call and settings, or what is wrong with them.
struct Intent {
    std::shared_ptr<Call> call;
    Settings settings;
    std::vector<mpi::Claim> claims;
    std::optional<mpi::Error> mistake;
    bool first = true;     ///< call of any kind on this communicator
    bool together = true;  ///< no rank leaves the initialisation before it has ended
};

/// Agrees on a call, learns the sizes that it needs, chooses an algorithm and binds it. Posts the
/// agreement before it waits for anything. @note Collective over comm, whose lane it is.
engine::Steps planned(MPI_Comm comm, std::shared_ptr<mpi::Lane> lane, int tag, Intent intent);

}  // namespace carpool::group
