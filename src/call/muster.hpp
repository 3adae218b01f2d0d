#pragma once

#include "call/call_code.hpp"
#include "mpi/comm_state.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::call {

/// Waits until all ranks have come to the same call for the first time, so that they may plan it
/// together. Throws if another rank calls something else by mistake, as it would find out in
/// messages of the call itself.
/// @note Collective over comm, whose state this is and is ready.
void muster(MPI_Comm comm, const std::shared_ptr<mpi::CommState>& state, CallCode code);

}  // namespace carpool::call
