#pragma once

#include "carpool/request.h"
#include "engine/request.hpp"
#include "mpi/error.hpp"

#include <memory>
#include <string>
#include <utility>

/// What a Carpool_Request points to.
struct Carpool_Request_s {
    std::unique_ptr<carpool::engine::Request> engine_request;
    const char* maker;  ///< the function that made it, whose arguments late errors are about
};

namespace carpool::api {

/// Throws MPI_ERR_REQUEST if there is no place for a request. @param name  of the argument
template <typename Request>
void check_address(const Request* request, const char* name = "request") {
    if (request == nullptr)
        throw mpi::Error(MPI_ERR_REQUEST, std::string(name) +
                                              " is a null pointer, expected the address of a "
                                              "request");
}

/// @param maker  its __func__
inline Carpool_Request wrapped(const char* maker, std::unique_ptr<engine::Request> request) {
    return new Carpool_Request_s{std::move(request), maker};
}

}  // namespace carpool::api
