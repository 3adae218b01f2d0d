// SPDX-License-Identifier: MIT
#pragma once

#include "call/pipeline.hpp"
#include "neighbor/call.hpp"
#include "neighbor/collective.hpp"

#include <mpi.h>

#include <cstdint>
#include <memory>

namespace carpool::neighbor {

/// A persistent request for a collective on the neighborhood of comm.
/// @note Collective over comm. Throws the same error on all ranks; if it returns at once, the first
/// start throws it instead.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const NeighborArguments& arguments,
                                             MPI_Info info, call::Return when);

/// A blocking or nonblocking call, which is under way on return.
/// @note Collective over comm. test() or wait() throws the same error on all ranks.
/// @param otherwise  see call::once()
std::unique_ptr<engine::Request> once(MPI_Comm comm, const NeighborArguments& arguments,
                                      call::HostNonblockingCall::Begin otherwise = {});

/// A digest of the arguments of a call on a communicator with a topology, by which calls that
/// repeat each other are known. Local.
std::uint64_t digest_of(MPI_Comm comm, const NeighborArguments& arguments);

/// Throws what is wrong with the arguments of this rank. Local.
void check_arguments(MPI_Comm comm, const NeighborArguments& arguments);

/// A call that was bound before, filled with these arguments; null if there is none, or if an
/// argument is wrong. Local.
std::shared_ptr<call::BoundCall> filled(MPI_Comm comm, const NeighborArguments& arguments);

/// initialised() and once() for arguments that have been read already.
/// @note Collective over comm.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, NeighborCollective::CallInput given,
                                             call::Return when);
std::unique_ptr<engine::Request> once(MPI_Comm comm, NeighborCollective::CallInput given,
                                      call::HostNonblockingCall::Begin otherwise = {});

}  // namespace carpool::neighbor
