// SPDX-License-Identifier: MIT
#pragma once

#include "engine/transfer.hpp"
#include "mpi/error.hpp"
#include "mpi/types/shape.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::engine {

/// The error that rank `source` sends `sent` bytes to rank `target`, which expects `expected`
/// bytes, or a block of that shape. A negative `sent` stands for more than these.
mpi::Error wrong_length(int source, std::int64_t sent, int target, std::int64_t expected);
mpi::Error wrong_length(int source, std::int64_t sent, int target, const mpi::Shape& expected);

/// Throws MPI_ERR_ARG unless a message that has come is as long as its receive expects.
/// @param rank  the rank of this process
/// @param length  in bytes
void check_length(const Transfer& receive, int rank, std::int64_t length);

/// The same for a message that MPI has received.
/// @param code  returned by the test that has given the status
void check_length(const Transfer& receive, int rank, const MPI_Status& status, int code);

}  // namespace carpool::engine
