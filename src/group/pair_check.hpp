#pragma once

#include "group/call.hpp"

#include <mpi.h>

namespace carpool::group {

/// Throws, alike on all ranks, an MPI_ERR_ARG that names two ranks of which one sends what the
/// other does not expect. @pre there are such. @note Collective.
[[noreturn]] void throw_pair_that_differs(const CheckedCollective& call, MPI_Comm comm);

}  // namespace carpool::group
