// SPDX-License-Identifier: MIT
#pragma once

#include "agree/collective_buffers.hpp"
#include "agree/typed_memory.hpp"
#include "collectives/problem.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/comm/operator.hpp"
#include "mpi/types/known_types.hpp"
#include "ordinary/arguments.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::ordinary {

/// A collective call with all its arguments read and checked, as far as one rank can.
struct CheckedCollective {
    collectives::Problem problem = {};
    agree::CollectiveBlocks blocks = {};
    agree::TypedMemory copies = {};  ///< the copies of the data that MPI_IN_PLACE stands for
    mpi::KnownTypes types = {};      ///< datatypes of the blocks

    bool count_per_rank = false;  ///< for the functions that end in v or w

    mpi::CheckedOperator checked_op = {};  ///< what MPI says about the operator of a reduction

    /// True if only the root knows the sizes of all blocks, so that they must be learnt.
    bool unknown_sizes = false;
    std::int64_t own_bytes = 0;  ///< size of this rank's own block

    /// True if each size is known only to the two ranks of its message.
    bool pairs_know_sizes() const { return unknown_sizes || problem.varies(); }

    /// The sizes of the blocks of all ranks on the root, of this rank's block elsewhere.
    /// @pre unknown_sizes
    std::vector<std::int64_t> known_sizes() const;

    /// The digests of what this rank sends to each rank alone, minus those of what it receives.
    std::uint64_t balance = 0;
};

/// Reads the arguments of a call. Throws an Error that names an argument that is wrong. The user's
/// arrays and types are not needed afterwards.
std::shared_ptr<CheckedCollective> read_call(const CollectiveArguments& arguments,
                                             const mpi::CommState& state);

/// Reads new arguments into a call that was read before, in the same memory. Members of the problem
/// that do not come from the arguments stay as they are. check_disjoint() is left to the caller.
void read_call_again(CheckedCollective& call, const CollectiveArguments& arguments,
                     const mpi::CommState& state);

/// Throws MPI_ERR_BUFFER if a byte is both sent and received, unless that is accepted.
void check_disjoint(const CheckedCollective& call, const CollectiveArguments& arguments, int rank);

/// The claim about which operation is called.
mpi::Claim operation_claim(const CheckedCollective& call);

/// The claims that must be equal on all ranks; the first is operation_claim().
std::vector<mpi::Claim> claims_of(const CheckedCollective& call);

}  // namespace carpool::ordinary
