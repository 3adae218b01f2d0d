#pragma once

#include "engine/request.hpp"
#include "neighbor/intent.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// Agrees, plans and binds a call that starts often. @note Collective. Throws alike on all ranks.
std::unique_ptr<engine::Request> persistent(MPI_Comm comm, Intent intent);

/// A call that ends once, under way at once; planning follows when all ranks have agreed. Throws
/// from test() or wait(), alike on all ranks.
std::unique_ptr<engine::Request> once(MPI_Comm comm, Intent intent);

/// A tag for a persistent request. @note Collective over comm, whose state it is.
inline mpi::CommState::Tag persistent_tag(const std::shared_ptr<mpi::CommState>& state,
                                          MPI_Comm comm) {
    return {state, comm, engine::Activity::progress};
}

}  // namespace carpool::neighbor
