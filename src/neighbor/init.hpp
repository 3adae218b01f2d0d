#pragma once

#include "call/pipeline.hpp"
#include "neighbor/call.hpp"
#include "neighbor/collective.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// A persistent request for a collective on the neighborhood of comm.
/// @note Collective over comm. Throws alike on all ranks or, if it returns at once, what is wrong
/// shows at the first start.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const NeighborArguments& arguments,
                                             MPI_Info info, call::Return when);

/// A call that ends once, under way at once. @note Collective over comm. Throws from test() or
/// wait(), alike on all ranks.
std::unique_ptr<engine::Request> once(MPI_Comm comm, const NeighborArguments& arguments,
                                      call::ReturnsAt until);

/// A call that was bound before and can be done with these arguments: as it is, or bound again.
/// Null if there is none. Local.
std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const NeighborArguments& arguments,
                                        call::ReturnsAt until);

/// The same of what was read before.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, NeighborCollective::Given given,
                                             call::Return when);
std::unique_ptr<engine::Request> once(MPI_Comm comm, NeighborCollective::Given given,
                                      call::ReturnsAt until);

}  // namespace carpool::neighbor
