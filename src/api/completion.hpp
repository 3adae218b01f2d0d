#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"

namespace carpool::api {

/// What the calls have in common that complete one request or several.

bool is_active(Carpool_Request request);

/// A null request counts as one that has ended.
bool test(Carpool_Request request);
void wait(Carpool_Request request);

/// The empty status of MPI: what completing, null and inactive requests give alike.
void set_empty(MPI_Status* status);

/// Null for a nonblocking request, which ends with its exchange; a persistent one stays.
void retire(Carpool_Request* request);

/// Calls the error handler for a null pointer in place of a request's address.
int refused_null();

/// Who has a request has MPI running, and need not ask.
template <typename Body>
int boundary(Carpool_Request request, Body body) {
    return request != CARPOOL_REQUEST_NULL ? reported(request->exchange->comm(), body)
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

/// Throws unless there may be so many.
void check_count(int count, const void* requests);

}  // namespace carpool::api
