#pragma once

#include "call/pipeline.hpp"
#include "engine/request.hpp"
#include "group/arguments.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::group {

/// A persistent request for a collective. @note Collective over comm, an intracommunicator. Throws
/// alike on all ranks, or, if it returns at once, what is wrong shows at the first start.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const Arguments& arguments,
                                             MPI_Info info, call::Return when);

/// A call that ends once, under way at once. @note Collective over comm, an intracommunicator.
/// Throws from test() or wait(), alike on all ranks.
std::unique_ptr<engine::Request> once(MPI_Comm comm, const Arguments& arguments, call::Until until);

/// Does a blocking call by MPI's own collective, if it is one of those that have not repeated;
/// false if it is not, or that cannot be seen at once. @note Collective over comm where it does.
/// @pre nothing has been bound for it
bool done_by_host(MPI_Comm comm, const Arguments& arguments);

/// What was bound for a call with these arguments, if it can be done again. Local.
std::shared_ptr<call::BoundCall> recent(MPI_Comm comm, const Arguments& arguments,
                                        call::Until until);

}  // namespace carpool::group
