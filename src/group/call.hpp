#pragma once

#include "call/typed_memory.hpp"
#include "collectives/problem.hpp"
#include "engine/bind.hpp"
#include "group/arguments.hpp"
#include "mpi/agreement.hpp"
#include "mpi/shape.hpp"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace carpool::group {

/// The ranks of a communicator as one of them sees them.
struct Place {
    int rank;
    int ranks;
};

/// A collective call with all its arguments read and checked, as far as one rank can.
struct Call {
    collectives::Problem problem;

    std::vector<mpi::Block> send = {};  ///< none on a rank that has nothing to send
    std::vector<mpi::Block> recv = {};
    MPI_Op op = MPI_OP_NULL;

    /// What MPI_IN_PLACE gives is copied away at each start, since the result comes there.
    std::vector<engine::Move> before = {};
    call::TypedMemory copies = {};

    /// Sizes that only the root knows all of: to be learnt. This rank's own:
    bool unknown_sizes = false;
    std::int64_t own_bytes = 0;

    /// Digests of what it sends to each rank alone, less those of what it receives.
    std::uint64_t balance = 0;

    /// Of an alltoall whose blocks differ: how many this rank sends to others, or receives from
    /// them if these are more, and the bytes of either.
    std::int64_t degree = 0;
    std::int64_t flow = 0;
};

/// Throws an Error that names the argument. The user's arrays and types are not needed afterwards.
/// @param comm  returns errors of datatypes
Call read_call(const Arguments& arguments, Place place, MPI_Comm comm);

/// What all ranks must say alike.
std::vector<mpi::Claim> claims_of(const Arguments& arguments, const Call& call);

}  // namespace carpool::group
