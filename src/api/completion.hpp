#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"

namespace carpool::api {

/// What all calls that complete requests have in common.

bool is_active(Carpool_Request request);

/// True if the exchange has ended. A null request counts as one that has ended.
bool test(Carpool_Request request);
void wait(Carpool_Request request);

/// Sets the empty status of MPI, which requests give whether they complete, are null or inactive.
void set_empty(MPI_Status* status);

/// Frees a nonblocking request, which ends with its exchange, and makes it null. A persistent one
/// stays.
void retire(Carpool_Request* request);

/// The C boundary of what a function does with a request: errors are about what made that.
template <typename Body>
int boundary(const char* function, Carpool_Request request, Body body) {
    if (request == CARPOOL_REQUEST_NULL) return guarded(function, MPI_COMM_SELF, body);
    require_mpi(function);
    return reported(request->maker, request->engine_request->comm(), body);
}

/// Runs one step for one request; the request is retired also when the step fails.
template <typename Step>
int guarded_end(const char* function, Carpool_Request* request, Step step) {
    if (request == nullptr)
        return guarded(function, MPI_COMM_SELF, [&] { check_address(request); });
    const int code = boundary(function, *request, step);
    if (!is_active(*request)) retire(request);
    return code;
}

/// Throws if count is negative, or requests null where count is not 0.
void check_count(int count, const void* requests);

}  // namespace carpool::api
