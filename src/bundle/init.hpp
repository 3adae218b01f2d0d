#pragma once

#include "engine/request.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::bundle {

/// One of the requests that the user gives.
struct GivenRequest {
    const engine::Request* request;  ///< null where it is none
    const char* instead;             ///< what it is then
};

/// What the user gives: how many requests, and each of them.
struct BundleArguments {
    int n;
    const GivenRequest* requests;  ///< null where the user gives no array
};

/// Plans what all requests do as one. @note Collective over comm. Throws alike on all ranks.
std::unique_ptr<engine::Request> initialised(MPI_Comm comm, const BundleArguments& arguments,
                                             MPI_Info info);

}  // namespace carpool::bundle
