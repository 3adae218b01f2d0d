// SPDX-License-Identifier: MIT
#pragma once

#include "ordinary/call.hpp"

#include <mpi.h>

namespace carpool::ordinary {

/// Throws the same MPI_ERR_ARG on all ranks, which names two ranks of which one sends what the
/// other does not expect. @pre there are two such ranks. @note Collective.
[[noreturn]] void throw_pair_that_differs(const CheckedCollective& call, MPI_Comm comm);

}  // namespace carpool::ordinary
