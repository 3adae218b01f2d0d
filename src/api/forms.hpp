// SPDX-License-Identifier: MIT
#pragma once

#include "api/check_init.hpp"
#include "api/guarded.hpp"
#include "api/request.hpp"
#include "call/host_nonblocking_call.hpp"
#include "call/pipeline.hpp"
#include "engine/activity.hpp"
#include "engine/mpi_request.hpp"
#include "mpi/comm/kept_op.hpp"
#include "mpi/comm/operator.hpp"

#include <mpi.h>

#include <memory>
#include <utility>

namespace carpool::api {

// The forms of a collective of any family. `function` is the name of the entry point. A call has a
// member `comm`, and its family has functions filled(call), once(call) and
// initialised(call, info, when), which argument-dependent lookup finds. filled() returns a
// call that was bound before, filled with these arguments, or null, also if comm is no valid
// communicator.

/// Keeps the operator of a call alive for its request, because the user may free the operator
/// before the request ends. If a single rank cannot keep it, this function waits for the end of a
/// request that is under way.
/// @note Collective over the call's communicator, but waits for no other rank.
template <typename Call>
void keep_op(engine::Request& request, const Call& call) {
    if constexpr (requires { call.arguments.op; }) {
        if (!mpi::is_users(call.arguments.op)) return;
        auto kept = std::make_shared<mpi::KeptOp>(call.arguments.op, call.comm);
        const bool alone = !kept->keeps() && request.ranks() == 1;
        for (engine::SpinThenYield spin; alone && request.active() && !request.over();) spin.wait();
        request.keep(std::move(kept));
    }
}

template <typename Call>
int blocking(const char* function, const Call& call) {
    return guarded(function, call.comm, [&] {
        engine::Activity::clear_away();
        if (const auto bound = filled(call)) return call::start_and_wait(call.comm, bound);
        check_comm(call.comm, "comm");
        call::wait_for(*once(call));
    });
}

template <typename Call>
MPI_Request entrusted(const char* function, const Call& call,
                      std::unique_ptr<engine::Request> begun) {
    keep_op(*begun, call);
    return engine::Request::entrust(function, std::move(begun));
}

/// Begins a nonblocking call: as a nonblocking collective of the host MPI, if ours would have to
/// wait for other ranks. An exchange whose sources no rank knows has no counterpart in MPI, and
/// waits.
template <typename Call>
MPI_Request begun(const char* function, const Call& call) {
    if (auto bound = filled(call))
        return entrusted(function, call, call::again(call.comm, std::move(bound)));
    if constexpr (requires { begun_at_host(function, call); })
        if (call::must_begin_at_host(call.comm)) return begun_at_host(function, call);
    return entrusted(function, call, once(call));
}

template <typename Call>
int nonblocking(const char* function, const Call& call, MPI_Request* request) {
    return guarded(function, call.comm, [&] {
        check_comm(call.comm, "comm");
        check_address(request);
        engine::MpiRequest::check_supported();
        engine::Activity::clear_away();
        *request = begun(function, call);
    });
}

template <typename Call>
int initialise(const char* function, const Call& call, MPI_Info info, call::Return when,
               Carpool_Request* request) {
    return guarded(function, call.comm, [&] {
        check_init(call.comm, info, request);
        auto made = initialised(call, info, when);
        keep_op(*made, call);
        *request = wrapped(function, std::move(made));
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
