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

/// Reports a null pointer in place of the address of a request; returns the error code.
int refused_null();

/// The C boundary of a call on a request. Where there is a request, MPI is running, so nothing
/// asks.
template <typename Body>
int boundary(Carpool_Request request, Body body) {
    return request != CARPOOL_REQUEST_NULL ? reported(request->engine_request->comm(), body)
                                           : guarded(MPI_COMM_SELF, body);
}

/// Runs one step for one request; the request is retired also when the step fails.
template <typename Step>
int guarded_end(Carpool_Request* request, Step step) {
    if (request == nullptr) return refused_null();
    const int code = boundary(*request, step);
    if (!is_active(*request)) retire(request);
    return code;
}

/// Throws if count is negative, or requests null where count is not 0.
void check_count(int count, const void* requests);

}  // namespace carpool::api
