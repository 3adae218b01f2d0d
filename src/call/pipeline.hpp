// SPDX-License-Identifier: MIT
#pragma once

#include "call/family.hpp"
#include "call/host_nonblocking_call.hpp"
#include "engine/request.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::call {

/// The steps from a user's call to a running request, the same for every family:
///
///     open → agree → plan → choose (select, write, learn sizes, measure) → bind
///
/// If candidates are to be measured, choosing keeps all of them.
///
/// A family defines its claims, its candidates, how a schedule is written, and which buffers the
/// schedule reads and writes (family.hpp); everything else is here.

/// When an _init returns: after planning, or at once; then planning ends before the first start
/// completes ([4] §2.0.1).
enum class Return { planned, at_once };

/// Makes a persistent request. Throws the same error on all ranks; if it returns at once, the error
/// comes at the first start.
/// @param state  the state of comm
/// @note Collective over comm.
std::unique_ptr<engine::Request> persistent(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                            std::unique_ptr<Family> family, Return when);

/// Starts a blocking or nonblocking call. test() or wait() of the request throws the same error on
/// all ranks.
/// @param state       the state of comm
/// @param needs_comm  the call uses comm until its end; else only until all ranks have agreed
/// @param otherwise   begins the host MPI's collective in place of the call, if all ranks refuse it
///                    before any message; null if the request is to throw the error
/// @note Collective over comm.
std::unique_ptr<engine::Request> once(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
                                      std::unique_ptr<Family> family, bool needs_comm = true,
                                      HostNonblockingCall::Begin otherwise = {});

/// Makes a call that is already bound, without a vote, reading of arguments or planning. Throws on
/// the ranks that find a mistake.
/// @note Collective; other ranks may make the call for the first time.
void start_and_wait(MPI_Comm comm, const std::shared_ptr<BoundCall>& call);

/// Waits until a blocking call has ended.
void wait_for(engine::Request& request);

/// Starts a call that is already bound, like start_and_wait(), but does not wait.
std::unique_ptr<engine::Request> again(MPI_Comm comm, std::shared_ptr<BoundCall> call);

/// The state of a communicator for a call that does not wait for its channel.
/// @note Collective at the first call.
std::shared_ptr<mpi::CommState> state_for_call(MPI_Comm comm);

}  // namespace carpool::call
