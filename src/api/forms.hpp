#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "call/pipeline.hpp"
#include "engine/host_progress.hpp"
#include "engine/mpi_request.hpp"

#include <mpi.h>

namespace carpool::api {

// The forms of a collective, whatever family it is of: a call has a comm, and its family the
// functions once(call) and initialised(call, info, when), which its type finds.

template <typename Call>
int blocking(const Call& call) {
    return guarded(call.comm, [&] {
        check_comm(call.comm, "comm");
        once(call)->wait();
    });
}

template <typename Call>
int nonblocking(const Call& call, MPI_Request* request) {
    return guarded(call.comm, [&] {
        check_comm(call.comm, "comm");
        engine::MpiRequest::check_supported();
        *request = engine::Request::entrust(once(call));
    });
}

template <typename Call>
int initialise(const Call& call, MPI_Info info, call::Return when, Carpool_Request* request) {
    return guarded(call.comm, [&] {
        check_comm(call.comm, "comm");
        engine::HostProgress::available();  // is its setting right?
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
