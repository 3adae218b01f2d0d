#pragma once

#include "arguments/peer_list.hpp"
#include "call/pipeline.hpp"
#include "call/recent.hpp"
#include "engine/request.hpp"
#include "mpi/error.hpp"
#include "neighbor/call.hpp"

#include <mpi.h>

#include <memory>
#include <optional>

namespace carpool::sparse {

/// An alltoall along lists of ranks that its callers give, on a communicator without a topology.
struct ListedCall {
    arguments::PeerList destinations;
    arguments::PeerList sources;
    neighbor::NeighborArguments arguments;
    MPI_Comm comm;
    std::optional<mpi::Error> mistake = {};  ///< found before
};

/// Planned once, before it returns: short blocks are combined on their way, long ones go straight.
/// @param when  planned only: calls along lists have no form that returns at once
/// @note Collective over the communicator. Throws alike on all ranks.
std::unique_ptr<engine::Request> initialised(const ListedCall& call, MPI_Info info,
                                             call::Return when);

/// Under way at once, every block in a message to its destination. Throws from test() or wait(),
/// alike on all ranks. @note Collective over the communicator.
std::unique_ptr<engine::Request> once(const ListedCall& call, call::ReturnsAt until);

/// The same by MPI's own collective, where it must go by that (call/host_begun.hpp): what is wrong
/// on this rank is thrown at once.
MPI_Request begun_at_host(const char* function, const ListedCall& call);

/// What was bound for the next call on the communicator, if it has these arguments; or null.
std::shared_ptr<call::BoundCall> recent(const ListedCall& call, call::ReturnsAt until);

}  // namespace carpool::sparse
