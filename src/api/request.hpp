// SPDX-License-Identifier: MIT
#pragma once

#include "base/handle_table.hpp"
#include "carpool/request.h"
#include "engine/request.hpp"
#include "mpi/error.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace carpool::api {

/// The request behind a Carpool_Request.
struct MadeRequest {
    std::unique_ptr<engine::Request> engine_request;
    const char* maker;  ///< the function that made it; late errors concern its arguments
};

/// All requests of this process.
inline constinit base::HandleTable<MadeRequest> made_requests(0xca80);

/// A C handle as a number.
template <typename Handle>
std::uint64_t number_of(Handle handle) {
    static_assert(sizeof handle == 8, "handles are packed into pointers of 64 bits");
    return reinterpret_cast<std::uintptr_t>(handle);
}

/// The request of a handle; null for CARPOOL_REQUEST_NULL, or if there is no such request.
inline MadeRequest* find(Carpool_Request request) { return made_requests.find(number_of(request)); }

/// Throws MPI_ERR_REQUEST if the address for a request is null.
/// @param name  of the argument
template <typename Request>
void check_address(const Request* request, const char* name = "request") {
    if (request == nullptr)
        throw mpi::Error(MPI_ERR_REQUEST, std::string(name) +
                                              " is a null pointer, expected the address of a "
                                              "request");
}

/// Describes a Carpool_Request that denotes no request, for error texts.
inline const char* instead_of_request(Carpool_Request request) {
    return request == CARPOOL_REQUEST_NULL ? "CARPOOL_REQUEST_NULL"
                                           : "no Carpool_Request, or has been freed";
}

/// Makes a Carpool_Request.
/// @param maker  __func__ of the function that makes it
inline Carpool_Request wrapped(const char* maker, std::unique_ptr<engine::Request> request) {
    return reinterpret_cast<Carpool_Request>(made_requests.add({std::move(request), maker}));
}

}  // namespace carpool::api
