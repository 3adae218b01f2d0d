// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/shared_memory.hpp"
#include "arguments/side.hpp"
#include "engine/bind.hpp"
#include "mpi/comm/agreement.hpp"
#include "mpi/comm/operator.hpp"
#include "mpi/types/known_types.hpp"
#include "neighbor/topology/topology.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string_view>

namespace carpool::neighbor {

using arguments::Side;

/// A collective call as the user makes it.
struct NeighborArguments {
    schedule::Operation operation;
    Side send;
    Side recv;
    MPI_Op op = MPI_OP_NULL;  ///< the operator of a reduction
    arguments::Overlap overlap = arguments::Overlap::refused;
};

/// A collective call with all its arguments read and checked, as far as one rank can.
struct CheckedNeighborCall {
    schedule::Operation operation = schedule::Operation::alltoall;
    engine::Buffers buffers = {};
    mpi::Claim block_bytes = {};  ///< sizes of the send blocks; of a reduction the one size
    bool uniform = false;         ///< one count and one type for all blocks of each side
    mpi::Shape summand = {};      ///< the shape of one summand of a reduction
    MPI_Op op = MPI_OP_NULL;      ///< the operator of a reduction
    mpi::CheckedOperator checked_op = {};   ///< what MPI says about it
    std::string_view function_suffix = {};  ///< v, w or none
    mpi::KnownTypes types = {};             ///< datatypes of the blocks

    /// Whether this is a reduction whose operator does not commute.
    bool in_order() const { return !checked_op.commutes; }
};

/// The number of blocks that the sending side of a call has.
int sent_blocks(const Topology& topology, schedule::Operation operation);

/// Throws an Error if a pointer cannot be what the user meant.
void check_pointers(const Topology& topology, const NeighborArguments& arguments);

/// Reads the arguments of a call. Throws an Error that names an argument that is wrong. The user's
/// arrays are not needed afterwards.
/// @pre check_pointers
std::shared_ptr<CheckedNeighborCall> read_call(const Topology& topology,
                                               const NeighborArguments& arguments);

/// Reads new arguments into a call that was read before, in the same memory.
void read_call_again(CheckedNeighborCall& call, const Topology& topology,
                     const NeighborArguments& arguments);

/// Throws MPI_ERR_BUFFER if a byte is both sent and received, unless that is accepted: no host
/// looks for it in neighborhood collectives.
/// @param most_pieces  the most pieces of each side that are examined
void check_disjoint(const CheckedNeighborCall& call, const NeighborArguments& arguments,
                    std::int64_t most_pieces);

/// The most pieces of each side that are compared if a call is made once.
std::int64_t few_pieces(const Topology& topology);

/// True if each side has one count and one type for all its blocks.
bool is_uniform(const NeighborArguments& arguments);

}  // namespace carpool::neighbor
