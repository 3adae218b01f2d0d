#pragma once

#include "arguments/key.hpp"
#include "arguments/shared_memory.hpp"
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
#include <string_view>
#include <vector>

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
    CheckedNeighborCall(schedule::Operation what, const char* bytes_name)
        : operation(what), block_bytes{bytes_name, {}, {}} {}

    schedule::Operation operation;
    engine::Buffers buffers = {};
    mpi::Claim block_bytes;   ///< sizes of the send blocks; of a reduction the one size
    bool uniform = false;     ///< one count and one type for all blocks of each side
    bool in_order = false;    ///< a reduction whose operator does not commute
    mpi::Shape summand = {};  ///< the shape of one summand of a reduction
    MPI_Op op = MPI_OP_NULL;  ///< the operator of a reduction
    std::string_view function_suffix = {};  ///< v, w or none
};

/// Throws an Error if a pointer cannot be what the user meant.
void check_pointers(const Topology& topology, const NeighborArguments& arguments);

/// Reads the arguments of a call. Throws an Error that names an argument that is wrong. The user's
/// arrays are not needed afterwards.
/// @pre check_pointers
std::shared_ptr<CheckedNeighborCall> read_call(const Topology& topology,
                                               const NeighborArguments& arguments);

/// The same.
/// @param types  the datatypes known from the previous call, if there was one
std::shared_ptr<CheckedNeighborCall> read_call(const Topology& topology,
                                               const NeighborArguments& arguments,
                                               mpi::KnownTypes& types);

/// Throws MPI_ERR_BUFFER if a byte is both sent and received, unless that is accepted: no host
/// looks for it in neighborhood collectives.
/// @param most_pieces  the most pieces of each side that are examined
void check_disjoint(const CheckedNeighborCall& call, const NeighborArguments& arguments,
                    std::int64_t most_pieces);

/// Sizes of the blocks that this rank sends and receives, as its arguments state them.
std::vector<std::int64_t> bytes_sent(const CheckedNeighborCall& call);
std::vector<std::int64_t> bytes_received(const CheckedNeighborCall& call);

/// True if each side has one count and one type for all its blocks.
bool is_uniform(const NeighborArguments& arguments);

/// The key of a call with these numbers of blocks; not whole if the call lacks an array.
arguments::Key key_of(const NeighborArguments& arguments, int sent, int received);

}  // namespace carpool::neighbor
