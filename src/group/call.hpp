#pragma once

#include "agree/collective_buffers.hpp"
#include "agree/typed_memory.hpp"
#include "call/bound_call.hpp"
#include "collectives/problem.hpp"
#include "group/arguments.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/known_types.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::group {

/// A collective call with all its arguments read and checked, as far as one rank can.
struct CheckedCollective {
    collectives::Problem problem = {};
    agree::CollectiveBlocks blocks = {};
    agree::TypedMemory copies = {};  ///< of what MPI_IN_PLACE gives
    mpi::KnownTypes types = {};      ///< of the blocks

    bool count_per_rank = false;  ///< one of the functions that end in v or w

    /// Sizes that only the root knows all of: to be learnt. This rank's own:
    bool unknown_sizes = false;
    std::int64_t own_bytes = 0;

    /// Of all ranks at the root, of this one elsewhere. @pre unknown_sizes
    std::vector<std::int64_t> known_sizes() const;

    /// Digests of what it sends to each rank alone, less those of what it receives.
    std::uint64_t balance = 0;
};

/// Throws an Error that names the argument. The user's arrays and types are not needed afterwards.
std::shared_ptr<CheckedCollective> read_call(const CollectiveArguments& arguments,
                                             const mpi::CommState& state);

/// Reads the arguments in place of others, into the same memory. What the problem has from
/// elsewhere stays.
void read_call_again(CheckedCollective& call, const CollectiveArguments& arguments,
                     const mpi::CommState& state);

/// What is called.
mpi::Claim operation_claim(const CheckedCollective& call);

/// What all ranks must say alike, that first.
std::vector<mpi::Claim> claims_of(const CheckedCollective& call);

}  // namespace carpool::group
