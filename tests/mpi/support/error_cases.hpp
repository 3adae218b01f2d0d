// SPDX-License-Identifier: MIT
#pragma once

#include "operators.hpp"
#include "world.hpp"

#include <carpool/collectives.h>
#include <mpi.h>

#include <string>

namespace carpool::tests {

inline bool i_am_last() { return world_rank() == world_size() - 1; }
inline std::string last_rank() { return "on rank " + std::to_string(world_size() - 1); }

inline int allreduce_init(const void* send, void* recv, int count, MPI_Op op, MPI_Info info,
                          Carpool_Request* request) {
    return Carpool_Allreduce_init(send, recv, count, MPI_INT, op, MPI_COMM_WORLD, info, request);
}

/// Makes errors return, including those that belong to no communicator.
inline void return_errors() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

}  // namespace carpool::tests
