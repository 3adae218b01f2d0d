// SPDX-License-Identifier: MIT
#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "mpi/status.hpp"

#include <string>

namespace carpool::api {

/// Everything that all calls which complete requests have in common.

/// Sets the empty status, which every request returns, whether it completes, is null or is
/// inactive.
using mpi::set_empty;

/// The communicator whose error handler is called for an error with a request; null for none.
inline MPI_Comm comm_of(const MadeRequest* request) {
    return request == nullptr ? MPI_COMM_NULL : request->engine_request->comm();
}

/// Throws MPI_ERR_REQUEST, because there is no such request.
/// @param name  of the argument
[[noreturn]] void refuse(Carpool_Request request, const std::string& name);

[[noreturn]] void refuse_lent();

/// Throws MPI_ERR_REQUEST if the request has been handed to MPI.
inline void check_own(const MadeRequest& request) {
    if (request.engine_request->lent()) [[unlikely]]
        refuse_lent();
}

/// True if the exchange has ended. A null request counts as ended.
inline bool test(MadeRequest* request) {
    if (request == nullptr) return true;
    check_own(*request);
    return request->engine_request->test();
}

inline void wait(MadeRequest* request) {
    if (request == nullptr) return;
    check_own(*request);
    request->engine_request->wait();
}

/// Calls step with the request of a handle, or with null for CARPOOL_REQUEST_NULL. Errors are
/// reported for the function that made the request, because they concern its arguments. A handle
/// that denotes no request is an error of this function.
/// @param name  returns the name of the argument; called only on an error
template <typename Name, typename Step>
int guarded_end(const char* function, Carpool_Request handle, Name name, Step step) {
    require_mpi(function, [handle] { return comm_of(find(handle)); });
    MadeRequest* const request = find(handle);
    if (request == nullptr && handle != CARPOOL_REQUEST_NULL) [[unlikely]]
        return reported(function, MPI_COMM_NULL, [&] { refuse(handle, name()); });
    return reported_on(
        request == nullptr ? function : request->maker, [&] { return comm_of(request); },
        [&] { step(request); });
}

/// Throws if count is negative, or requests null where count is not 0.
void check_count(int count, const void* requests);

}  // namespace carpool::api
