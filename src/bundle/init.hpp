#pragma once

#include "engine/request.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::bundle {

/// What the user gives: how many requests, and each of them, null for a null request.
struct Arguments {
    int n;
    const engine::Request* const* requests;  ///< null where the user gives no array
};

/// Plans what all requests do as one. @note Collective over comm. Throws alike on all ranks.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const Arguments& arguments,
                                             MPI_Info info);

}  // namespace carpool::bundle
