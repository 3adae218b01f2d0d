#pragma once

#include "call/family.hpp"
#include "call/recent.hpp"
#include "engine/request.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::call {

/// The one way from a user's call to a running request, for every family:
///
///     open → read → agree → plan → candidates → choose → write → sizes → measure → bind
///
/// Where candidates are measured, choosing keeps all of them.
///
/// A family says what it claims, which candidates it has, who writes the schedule and which buffers
/// that reads and writes (family.hpp); everything else is here.

/// When an initialisation returns: planned, or at once, to be planned until the first start
/// completes ([4] §2.0.1).
enum class Return { planned, at_once };

/// A persistent request. @note Collective over comm, whose state this is. Throws alike on all ranks
/// or, if it returns at once, what is wrong shows at the first start.
std::unique_ptr<engine::Request> persistent(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                            std::unique_ptr<Family> family, Return when);

/// A call that ends once, under way at once. @note Collective over comm, whose state this is.
/// Throws from test() or wait(), alike on all ranks.
/// @param until       when the user's call returns, alike on all ranks
/// @param needs_comm  until it has ended; else only until all ranks have agreed
std::unique_ptr<engine::Request> once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                      std::unique_ptr<Family> family, ReturnsAt until,
                                      bool needs_comm = true);

/// A call that is bound already: nothing is said, read or made anew.
/// @note Collective; other ranks may do it for the first time. Throws on the ranks that see that
/// something is wrong.
void start_and_wait(MPI_Comm comm, const std::shared_ptr<BoundCall>& call);

/// Until a call that is blocking has ended, also where MPI's own collective does it.
void wait_for(engine::Request& request);

/// The same as start_and_wait, under way at once.
std::unique_ptr<engine::Request> again(MPI_Comm comm, std::shared_ptr<BoundCall> call);

/// The state of a communicator for a call that does not wait for its channel.
/// @note Collective at the first call.
std::shared_ptr<mpi::CommState> state_for_call(MPI_Comm comm);

}  // namespace carpool::call
