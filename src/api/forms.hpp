#pragma once

#include "api/guarded.hpp"
#include "api/request.hpp"
#include "call/known_keys.hpp"
#include "call/pipeline.hpp"

#include <mpi.h>

namespace carpool::api {

// The forms of a collective, whatever family it is of: `function` is the name of the entry point, a
// call has a comm, and its family the functions once(call) and initialised(call, info, when), which
// its type finds.

template <typename Call>
int blocking(const char* function, const Call& call) {
    return guarded(function, call.comm, [&] {
        check_comm(call.comm, "comm");
        once(call)->wait();
    });
}

template <typename Call>
int nonblocking(const char* function, const Call& call, Carpool_Request* request) {
    return guarded(function, call.comm, [&] {
        check_comm(call.comm, "comm");
        check_address(request);
        *request = wrapped(function, once(call));
    });
}

template <typename Call>
int initialise(const char* function, const Call& call, MPI_Info info, call::Return when,
               Carpool_Request* request) {
    return guarded(function, call.comm, [&] {
        check_comm(call.comm, "comm");
        check_address(request);
        call::warn_of_unknown_keys(info, call.comm);
        *request = wrapped(function, initialised(call, info, when));
    });
}

template <typename Call>
int persistent(const char* function, const Call& call, MPI_Info info, Carpool_Request* request) {
    return initialise(function, call, info, call::Return::planned, request);
}

template <typename Call>
int background(const char* function, const Call& call, MPI_Info info, Carpool_Request* request) {
    return initialise(function, call, info, call::Return::at_once, request);
}

}  // namespace carpool::api
