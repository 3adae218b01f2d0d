#pragma once

#include "api/check_init.hpp"
#include "api/guarded.hpp"
#include "api/request.hpp"
#include "call/pipeline.hpp"
#include "engine/activity.hpp"
#include "engine/mpi_request.hpp"

#include <mpi.h>

namespace carpool::api {

// The forms of a collective, whatever family it is of: `function` is the name of the entry point, a
// call has a comm, and its family the functions recent(call, until), which gives what was bound for
// the same arguments, or null, also where comm is none of those that may be, once(call, until) and
// initialised(call, info, when), which its type finds.

template <typename Call>
int blocking(const char* function, const Call& call) {
    return guarded(function, call.comm, [&] {
        constexpr auto until = call::Until::end;
        engine::Activity::clear_away();
        if (const auto bound = recent(call, until)) return call::start_and_wait(*bound);
        check_comm(call.comm, "comm");
        call::wait_for(*once(call, until));
    });
}

template <typename Call>
int nonblocking(const char* function, const Call& call, MPI_Request* request) {
    return guarded(function, call.comm, [&] {
        check_comm(call.comm, "comm");
        check_address(request);
        engine::MpiRequest::check_supported();
        constexpr auto until = call::Until::begun;
        engine::Activity::clear_away();
        auto bound = recent(call, until);
        *request = engine::Request::entrust(
            function, bound ? call::again(call.comm, std::move(bound)) : once(call, until));
    });
}

template <typename Call>
int initialise(const char* function, const Call& call, MPI_Info info, call::Return when,
               Carpool_Request* request) {
    return guarded(function, call.comm, [&] {
        check_init(call.comm, info, request);
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
