// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/handle.hpp"

namespace carpool::engine {

/// The pieces of a message where they lie: a datatype over absolute addresses, for MPI.
struct TypedPieces {
    mpi::Datatype type;
};

}  // namespace carpool::engine
