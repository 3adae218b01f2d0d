// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/kind.hpp"
#include "mpi/comm/agreement.hpp"
#include "schedule/operation.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace carpool::arguments {

/// What is neither a neighborhood collective nor an ordinary one. In the first call on a
/// neighborhood, ranks agree on `first_on_neighborhood`, whichever function they call.
enum class Other {
    halo_exchange,
    sparse_exchange,
    bundle,
    sparse_alltoallv,
    first_on_neighborhood,
    ghosts_create,
    ghosts_update,
    ghosts_reduce
};

// The claim of the called operation comes first in a vote. Without it, an argument of one rank's
// function would be compared with an argument of another rank's function.

mpi::Claim operation_claim(schedule::Operation operation);

/// @param varies  whether it has a count per rank
mpi::Claim operation_claim(collectives::Kind kind, bool varies);

mpi::Claim operation_claim(Other other);

/// Adds to the claim of an operation whether this is an _init, or a blocking or nonblocking call.
/// If ranks differ in this, not all of them wait in their calls, so no rank finds out the other's
/// value.
mpi::Claim in_form(mpi::Claim operation, bool is_init);

/// The claim's value for the function of that name, such as "neighbor_alltoallv" or
/// "reduce_scatter"; none if there is no such function.
std::optional<std::int64_t> operation_named(std::string_view function);

}  // namespace carpool::arguments
