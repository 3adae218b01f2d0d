#pragma once

#include "call/pipeline.hpp"
#include "engine/request.hpp"
#include "group/arguments.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::group {

/// A persistent request for a collective. @note Collective over comm, an intracommunicator. Throws
/// alike on all ranks, or, if it returns at once, what is wrong shows at the first start.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const CollectiveArguments& arguments,
                                             MPI_Info info, call::Return when);

/// A call that ends once, under way at once. @note Collective over comm, an intracommunicator.
/// Throws from test() or wait(), alike on all ranks.
std::unique_ptr<engine::Request> once(MPI_Comm comm, const CollectiveArguments& arguments,
                                      call::ReturnsAt until);

/// A call that was bound before and can be done with these arguments: as it is, or bound again.
/// Null if there is none. Local.
std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const CollectiveArguments& arguments,
                                        call::ReturnsAt until);

}  // namespace carpool::group
