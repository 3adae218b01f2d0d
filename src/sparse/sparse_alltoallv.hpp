// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/peer_list.hpp"
#include "call/pipeline.hpp"
#include "engine/request.hpp"
#include "mpi/error.hpp"
#include "neighbor/call.hpp"

#include <mpi.h>

#include <memory>
#include <optional>

namespace carpool::sparse {

/// An alltoall along lists of ranks that the caller gives, on a communicator without a topology.
struct ListedCall {
    arguments::PeerList destinations;
    arguments::PeerList sources;
    neighbor::NeighborArguments arguments;
    MPI_Comm comm;
    std::optional<mpi::Error> mistake = {};  ///< found earlier
};

/// A persistent request, planned before this returns: short blocks are combined on their routes,
/// long ones go straight.
/// @param when  planned only: calls along lists have no form that returns at once
/// @note Collective over the communicator. Throws the same error on all ranks.
std::unique_ptr<engine::Request> initialised(const ListedCall& call, MPI_Info info,
                                             call::Return when);

/// A blocking or nonblocking call, which is under way on return, with a message for each block.
/// test() or wait() throws on all ranks.
/// @note Collective over the communicator.
std::unique_ptr<engine::Request> once(const ListedCall& call);

/// The same by the host MPI's collective, where that must be used (call/host_nonblocking_call.hpp).
/// A mistake of this rank is thrown at once.
MPI_Request begun_at_host(const char* function, const ListedCall& call);

/// A call along the same lists that was bound before, filled with these arguments; null if there is
/// none, or if an argument is wrong. Local.
std::shared_ptr<call::BoundCall> filled(const ListedCall& call);

}  // namespace carpool::sparse
