#pragma once

#include "arguments/key.hpp"
#include "arguments/side.hpp"
#include "call/bound_call.hpp"
#include "engine/bind.hpp"
#include "mpi/agreement.hpp"
#include "mpi/known_types.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::neighbor {

using arguments::Side;

/// A collective call as the user makes it.
struct NeighborArguments {
    schedule::Operation operation;
    Side send;
    Side recv;
    MPI_Op op = MPI_OP_NULL;  ///< of reductions
};

/// A collective call with all its arguments read and checked, as far as one rank can.
struct CheckedNeighborCall {
    CheckedNeighborCall(schedule::Operation what, const char* bytes_name)
        : operation(what), block_bytes{bytes_name, {}, {}} {}

    schedule::Operation operation;
    engine::Buffers buffers = {};
    mpi::Claim block_bytes;   ///< per send block; of a reduction the one size of all
    bool uniform = false;     ///< one count and one type for all blocks of each side
    bool in_order = false;    ///< a reduction whose operator does not commute
    mpi::Shape summand = {};  ///< what a reduction adds
    MPI_Op op = MPI_OP_NULL;  ///< by which
};

/// Throws an Error if a pointer cannot be what the user meant.
void check_pointers(const Topology& topology, const NeighborArguments& arguments);

/// Throws an Error that names the argument. The user's arrays are not needed afterwards.
/// @pre check_pointers
std::shared_ptr<CheckedNeighborCall> read_call(const Topology& topology,
                                               const NeighborArguments& arguments);

/// The same. @param types  known from the call before, if there was one
std::shared_ptr<CheckedNeighborCall> read_call(const Topology& topology,
                                               const NeighborArguments& arguments,
                                               mpi::KnownTypes& types);

/// Throws MPI_ERR_BUFFER if what is sent and what is received share a byte, as far as that many
/// pieces of either say.
void check_disjoint(const CheckedNeighborCall& call, const NeighborArguments& arguments,
                    std::int64_t most_pieces);

/// Sizes of this rank's blocks, and of what it receives, as the call says.
std::vector<std::int64_t> bytes_sent(const CheckedNeighborCall& call);
std::vector<std::int64_t> bytes_received(const CheckedNeighborCall& call);

/// Does it have one count and one type on each side?
bool is_uniform(const NeighborArguments& arguments);

/// That of a call of so many blocks; not whole if it lacks an array.
arguments::Key key_of(const NeighborArguments& arguments, int sent, int received);

}  // namespace carpool::neighbor
