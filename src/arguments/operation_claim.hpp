#pragma once

#include "collectives/kind.hpp"
#include "mpi/agreement.hpp"
#include "schedule/operation.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace carpool::arguments {

/// What is neither an operation of neighborhoods nor an ordinary collective: in the first call on a
/// neighborhood ranks agree on that, whatever they do there.
enum class Other {
    halo_exchange,
    sparse_exchange,
    bundle,
    sparse_alltoallv,
    first_on_neighborhood
};

// What is called: the first that all ranks must say alike, whatever they call. Were it left out,
// what one rank says of its own function's argument would be held against that of another's.

mpi::Claim operation_claim(schedule::Operation operation);

/// @param varies  one with a count per rank
mpi::Claim operation_claim(collectives::Kind kind, bool varies);

mpi::Claim operation_claim(Other other);

/// The claim of an operation, and of whether an _init calls it or what ends once. Where these
/// differ not all ranks wait in their calls, so none finds out by which value.
mpi::Claim in_form(mpi::Claim operation, bool is_init);

/// The value of the claim of what a function of that name calls, "neighbor_alltoallv" or
/// "reduce_scatter"; none if no function is called that.
std::optional<std::int64_t> operation_named(std::string_view function);

}  // namespace carpool::arguments
