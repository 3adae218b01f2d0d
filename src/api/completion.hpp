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

/// The C boundary of what a function does with a request: errors are about what made that.
template <typename Body>
int boundary(const char* function, Carpool_Request request, Body body) {
    if (request == CARPOOL_REQUEST_NULL) return guarded(function, MPI_COMM_SELF, body);
    require_mpi(function);
    return reported(request->maker, request->engine_request->comm(), body);
}

/// Runs one step for one request.
template <typename Step>
int guarded_end(const char* function, Carpool_Request* request, Step step) {
    if (request == nullptr)
        return guarded(function, MPI_COMM_SELF, [&] { check_address(request); });
    return boundary(function, *request, step);
}

/// Throws if count is negative, or requests null where count is not 0.
void check_count(int count, const void* requests);

}  // namespace carpool::api
