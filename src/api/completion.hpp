#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "mpi/status.hpp"

namespace carpool::api {

/// What all calls that complete requests have in common.

bool is_active(Carpool_Request request);

/// True if the exchange has ended. A null request counts as one that has ended.
bool test(Carpool_Request request);
void wait(Carpool_Request request);

/// Which requests give whether they complete, are null or inactive.
using mpi::set_empty;

/// Throws MPI_ERR_REQUEST if MPI has it.
void check_own(Carpool_Request request);

/// Reports a null pointer in place of the address of a request; returns the error code.
int refused_null();

/// The C boundary of a call on a request. Where there is a request, MPI is running, so nothing
/// asks.
template <typename Body>
int boundary(Carpool_Request request, Body body) {
    return request != CARPOOL_REQUEST_NULL ? reported(request->engine_request->comm(), body)
                                           : guarded(MPI_COMM_SELF, body);
}

/// Runs one step for one request.
template <typename Step>
int guarded_end(Carpool_Request* request, Step step) {
    return request != nullptr ? boundary(*request, step) : refused_null();
}

/// Throws if count is negative, or requests null where count is not 0.
void check_count(int count, const void* requests);

}  // namespace carpool::api
