#pragma once

#include "engine/transfer.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::engine {

/// That a rank sends so many bytes to another which expects so many others; less than none: more
/// than these.
mpi::Error wrong_length(int source, std::int64_t sent, int target, std::int64_t expected);

/// Throws MPI_ERR_ARG unless what has come is as long as its receiver expects.
/// @param rank  this one @param length  in bytes
void check_length(const Transfer& receive, int rank, std::int64_t length);

/// The same of what MPI has received. @param code  of the test that has given the status
void check_length(const Transfer& receive, int rank, const MPI_Status& status, int code);

}  // namespace carpool::engine
