#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "call/pipeline.hpp"

#include <mpi.h>

namespace carpool::api {

// The forms of a collective, whatever family it is of: a call has a comm, and its family the
// functions once(call) and initialised(call, info, when), which its type finds.

/// Calls of this family are kept for the same arguments to come.
template <typename Call>
concept Recurring = requires(const Call& call) { recent(call); };

/// What was bound for the same arguments, or null.
template <typename Call>
std::shared_ptr<call::BoundCall> bound_before(const Call& call) {
    if constexpr (Recurring<Call>)
        return call.comm != MPI_COMM_NULL ? recent(call) : nullptr;
    else
        return nullptr;
}

template <typename Call>
int blocking(const Call& call) {
    return guarded(call.comm, [&] {
        if (const auto bound = bound_before(call)) return call::wait_again(*bound);
        check_comm(call.comm, "comm");
        once(call)->wait();
    });
}

template <typename Call>
int nonblocking(const Call& call, Carpool_Request* request) {
    return guarded(call.comm, [&] {
        if (auto bound = bound_before(call)) {
            *request = wrapped(call::again(call.comm, std::move(bound)));
            return;
        }
        check_comm(call.comm, "comm");
        *request = wrapped(once(call));
    });
}

template <typename Call>
int initialise(const Call& call, MPI_Info info, call::Return when, Carpool_Request* request) {
    return guarded(call.comm, [&] {
        check_comm(call.comm, "comm");
        *request = wrapped(initialised(call, info, when));
    });
}

template <typename Call>
int persistent(const Call& call, MPI_Info info, Carpool_Request* request) {
    return initialise(call, info, call::Return::planned, request);
}

template <typename Call>
int background(const Call& call, MPI_Info info, Carpool_Request* request) {
    return initialise(call, info, call::Return::at_once, request);
}

}  // namespace carpool::api
