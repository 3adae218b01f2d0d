// SPDX-License-Identifier: MIT
#pragma once

#include "call/pipeline.hpp"
#include "engine/request.hpp"
#include "ordinary/arguments.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>

namespace carpool::ordinary {

/// A persistent request for a collective.
/// @note Collective over comm, an intracommunicator. Throws the same error on all ranks; if it
/// returns at once, the first start throws it instead.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const CollectiveArguments& arguments,
                                             MPI_Info info, call::Return when);

/// A blocking or nonblocking call, which is under way on return.
/// @note Collective over comm, an intracommunicator. test() or wait() throws the same error on all
/// ranks.
/// @param otherwise  see call::once()
std::unique_ptr<engine::Request> once(MPI_Comm comm, const CollectiveArguments& arguments,
                                      call::HostNonblockingCall::Begin otherwise = {});

/// A digest of the arguments of a call, by which calls that repeat each other are known. Local.
std::uint64_t digest_of(MPI_Comm comm, const CollectiveArguments& arguments);

/// Throws what is wrong with the arguments of this rank. Local.
void check_arguments(MPI_Comm comm, const CollectiveArguments& arguments);

/// A call that was bound before, filled with these arguments; null if there is none, or if an
/// argument is wrong. Local.
std::shared_ptr<call::BoundCall> filled(MPI_Comm comm, const CollectiveArguments& arguments);

}  // namespace carpool::ordinary
