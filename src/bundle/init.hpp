// SPDX-License-Identifier: MIT
#pragma once

#include "engine/request.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::bundle {

/// One of the requests that the user passes.
struct GivenRequest {
    const engine::Request* request;  ///< null if it is not a persistent request
    const char* instead;             ///< what it is in that case
};

/// The arguments of the user: the number of requests, and the requests.
struct BundleArguments {
    int n;
    const GivenRequest* requests;  ///< null if the user passes no array
};

/// Plans all requests as one. @note Collective over comm. Throws the same error on all ranks.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const BundleArguments& arguments,
                                             MPI_Info info);

}  // namespace carpool::bundle
