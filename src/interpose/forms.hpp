// SPDX-License-Identifier: MIT
#pragma once

#include "api/forms.hpp"
#include "api/guarded.hpp"
#include "call/host_nonblocking_call.hpp"
#include "call/pipeline.hpp"
#include "engine/activity.hpp"
#include "engine/call_scope.hpp"
#include "engine/host_progress.hpp"
#include "engine/mpi_request.hpp"
#include "engine/request.hpp"
#include "interpose/call_history.hpp"
#include "interpose/comm_use.hpp"
#include "interpose/host_aliases.hpp"
#include "interpose/host_calls.hpp"
#include "interpose/persistent_requests.hpp"
#include "interpose/reasons.hpp"
#include "interpose/settings.hpp"
#include "interpose/timed_call.hpp"
#include "mpi/comm/in_use.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace carpool::interpose {

// The forms of MPI's collectives. Carpool makes the call, or the host does: if Carpool does not
// take it, or if its arguments are refused before any message was sent. Then the host says what is
// wrong with them, and nothing is counted on this rank, as if there had been no call.
//
// `describe` returns the call as src/api describes it, and `host` calls the host's function.

using report::Maker;

/// The function that the program has called.
struct MpiFunction {
    const char* name;
    MpiOperation operation;
};

/// The use of the communicator of a blocking or nonblocking call; null if the host makes the call,
/// whatever has been called before. A callback of the user's that Carpool's own calls lead to gets
/// the host's collectives: that of an attribute is called where Carpool duplicates a communicator.
inline CommUse* use_of(const MpiFunction& function, MPI_Comm comm) {
    if (!mpi::in_use(comm)) return nullptr;
    const bool asked = Settings::of_process().calls[index_of(function.operation)];
    const bool within = engine::CallScope::is_open();
    return asked && !within ? CommUse::of(comm) : nullptr;
}

/// Whether Carpool makes the call, as far as is known before its arguments are looked at.
inline bool takes_call(const MpiFunction& function, const CommUse* use, Form form,
                       TimedCall& timed) {
    const auto operation = function.operation;
    if (use != nullptr && use->takes_call(operation, form)) return true;
    timed.leave_to_host([&] {
        if (engine::CallScope::is_open()) return reasons::within_call.text;
        const bool asked = Settings::of_process().calls[index_of(operation)];
        return CommUse::why_not(use, asked, operation, form);
    });
    return false;
}

/// A call that may be one of those before ranks ask each other. Then its arguments are noted,
/// though it may still be refused, and its time, if it is blocking.
class NotedCall {
public:
    template <typename Describe>
    NotedCall(CommUse* use, MpiOperation operation, Form form, Describe describe) {
        if (use == nullptr || !use->calls(operation).watches() || !use->may_take(operation, form))
            return;
        calls_ = &use->calls(operation);
        static_cast<void>(mpi::mistake_in([&] { calls_->note_arguments(digest_of(describe())); }));
        began_ = std::chrono::steady_clock::now();
    }

    /// The call has returned this code.
    void made_by(Maker maker, int code) const {
        if (calls_ == nullptr || code != MPI_SUCCESS) return;
        const std::chrono::duration<float> time = std::chrono::steady_clock::now() - began_;
        calls_->note_time(maker == Maker::carpool, time.count());
    }

private:
    CallHistory* calls_ = nullptr;  // null if nothing is noted
    std::chrono::steady_clock::time_point began_ = {};
};

/// Counts a blocking or nonblocking call that returns this code, if it has been made.
inline int counted(CommUse* use, MpiOperation operation, int code) {
    if (use != nullptr && was_made(code)) use->calls(operation).count();
    return code;
}

/// Whether Carpool makes a persistent request of the operation.
inline bool takes_init(const MpiFunction& function, MPI_Comm comm) {
    constexpr auto form = Form::persistent;
    if (!mpi::in_use(comm)) return false;
    const bool asked = Settings::of_process().persistent[index_of(function.operation)];
    const bool arrive = PersistentRequests::all_calls_arrive();
    auto* const use = asked && arrive ? CommUse::of(comm) : nullptr;
    if (use != nullptr && use->may_take(function.operation, form)) {
        use->look_at_edges(comm);
        return true;
    }
    add_host_init(function.operation, arrive
                                          ? CommUse::why_not(use, asked, function.operation, form)
                                          : reasons::tool.text);
    return false;
}

/// Runs `step`, and marks its errors as thrown before any message.
template <typename Step>
auto before_messages(Step step) {
    try {
        return step();
    } catch (const mpi::Error& error) {
        throw error.before_messages();
    }
}

/// The call, which is refused if its buffers lie in memory of a GPU: a program that gives such
/// memory to MPI has a host that takes it.
template <typename Call>
Call on_host(Call call) {
    call.arguments.send.takes_device_memory = call.arguments.recv.takes_device_memory = false;
    return call;
}

/// The call as the host takes it: buffers may overlap, though what then arrives is undefined. If a
/// rank gives one buffer for both sides, some hosts refuse it and others take it for MPI_IN_PLACE.
template <typename Call>
Call as_host_takes(const MpiFunction& function, Call call) {
    call = on_host(std::move(call));
    const auto& sent = call.arguments.send;
    const bool several = sent.varying_counts() || sent.count(0) > 1;
    const bool refuses = HostAliases::of_process().refuses(function.operation, several);
    call.arguments.overlap =
        refuses ? arguments::Overlap::refused_where_equal : arguments::Overlap::accepted;
    if constexpr (requires { in_place_where_equal(call); })
        if (!refuses) return in_place_where_equal(call);
    return call;
}

/// Runs the body and returns its code; an error has then been raised on the communicator. Returns
/// nothing if the arguments were refused: then the host must make the call. Memory that this rank
/// alone lacks is an error: the other ranks are in the call.
template <typename Body>
std::optional<int> run(const MpiFunction& function, MPI_Comm comm, TimedCall& timed, Body body) {
    return api::attempted(function.name, body, [&](const mpi::Error& error) -> std::optional<int> {
        if (!error.is_before_messages() || error.error_class() == MPI_ERR_NO_MEM)
            return api::report(function.name, comm, error.error_class(), error.what());
        timed.leave_to_host(error);
        return std::nullopt;
    });
}

/// Runs a step of a blocking call in which all ranks may refuse the call together. The host then
/// makes all later calls of the operation, too.
template <typename Step>
void agreed(const MpiFunction& function, CommUse& use, Step step) {
    try {
        step();
    } catch (const mpi::Error& error) {
        if (error.is_before_messages() && error.error_class() != MPI_ERR_NO_MEM)
            use.leave_to_host(function.operation);
        throw;
    }
}

/// Whether Carpool makes a call that it takes as far as is known. Now and then ranks ask each
/// other, if their arguments are right.
template <typename Call>
bool keeps_taking(CommUse& use, MpiOperation operation, const Call& call) {
    if (!use.calls(operation).must_ask()) return true;
    before_messages([&] { check_arguments(call); });
    return use.ask(operation, call.comm);
}

template <typename Describe>
std::optional<int> make_blocking(const MpiFunction& function, CommUse& use, MPI_Comm comm,
                                 Describe describe, TimedCall& timed) {
    bool taken = true;
    const auto code = run(function, comm, timed, [&] {
        engine::Activity::clear_away();
        const auto call = as_host_takes(function, describe());
        taken = keeps_taking(use, function.operation, call);
        if (!taken) return;
        if (const auto bound = filled(call)) return call::start_and_wait(call.comm, bound);
        before_messages([&] { check_arguments(call); });
        use.look_at_edges(call.comm);
        agreed(function, use,
               [&] { call::wait_for(*before_messages([&] { return once(call); })); });
    });
    if (taken) return code;
    timed.leave_to_host(
        [&] { return CommUse::why_not(&use, true, function.operation, Form::blocking); });
    return std::nullopt;
}

/// Why the host must make a nonblocking call that Carpool takes; null if it need not.
inline const Reason* why_not_begun(MPI_Comm comm) {
    if (call::must_begin_at_host(comm)) return &reasons::unprepared;
    return engine::HostProgress::available() ? nullptr : &reasons::no_progress;
}

/// @param otherwise  begins the host's collective, if all ranks refuse the call together: some find
///                   that out after this function has returned
template <typename Describe>
std::optional<int> make_nonblocking(const MpiFunction& function, CommUse& use, MPI_Comm comm,
                                    Describe describe,
                                    const call::HostNonblockingCall::Begin& otherwise,
                                    MPI_Request* request, TimedCall& timed) {
    const Reason* why_not = nullptr;
    const auto code = run(function, comm, timed, [&] {
        engine::Activity::clear_away();
        why_not = before_messages([comm] { return why_not_begun(comm); });
        if (why_not != nullptr) return;
        const auto call = as_host_takes(function, describe());
        std::unique_ptr<engine::Request> begun;
        if (auto bound = filled(call)) {
            begun = call::again(call.comm, std::move(bound));
        } else {
            before_messages([&] { check_arguments(call); });
            use.look_at_edges(call.comm);
            begun = before_messages([&] { return once(call, otherwise); });
        }
        *request = api::entrusted(function.name, call, std::move(begun));
    });
    if (why_not == nullptr) return code;
    timed.leave_to_host([why_not] { return why_not->text; });
    return std::nullopt;
}

/// Makes a persistent request behind a handle of the host's. An error, which is the same on all
/// ranks, leaves it to the host.
template <typename Call>
void put_behind(MPI_Request handle, const MpiFunction& function, const Call& call, MPI_Info info) {
    const auto put = [&] {
        if (!engine::HostProgress::available())
            throw mpi::Error(MPI_ERR_OTHER, std::string(reasons::no_progress_for_starts.text));
        engine::Activity::clear_away();
        auto ours = initialised(call, info, call::Return::planned);
        api::keep_op(*ours, call);
        PersistentRequests::put_behind(handle, std::move(ours), function.name);
    };
    api::attempted(function.name, put, [&](const mpi::Error& error) {
        add_host_init(function.operation, error.what());
        return error.error_class();
    });
}

// The functions that MPI's names call.

template <typename Describe, typename Host>
int blocking(const MpiFunction& function, MPI_Comm comm, Describe describe, Host host) {
    constexpr auto form = Form::blocking;
    const auto operation = function.operation;
    TimedCall timed(operation, comm);
    auto* const use = use_of(function, comm);
    const NotedCall noted(use, operation, form, describe);
    const auto ended = [&](Maker maker, int code) {
        noted.made_by(maker, code);
        return timed.made_by(maker, counted(use, operation, code), describe);
    };
    if (takes_call(function, use, form, timed))
        if (const auto code = make_blocking(function, *use, comm, describe, timed))
            return ended(Maker::carpool, *code);
    return ended(Maker::host, host());
}

/// @param host  begins the host's collective; may be kept until the end
template <typename Describe, typename Host>
int nonblocking(const MpiFunction& function, MPI_Comm comm, Describe describe, Host host,
                MPI_Request* request) {
    constexpr auto form = Form::nonblocking;
    const auto operation = function.operation;
    TimedCall timed(operation, comm);
    auto* const use = use_of(function, comm);
    const NotedCall noted(use, operation, form, describe);
    if (takes_call(function, use, form, timed) && request != nullptr)
        if (const auto code =
                make_nonblocking(function, *use, comm, describe, host, request, timed))
            return timed.made_by(Maker::carpool, counted(use, operation, *code), describe, request);
    return timed.made_by(Maker::host, counted(use, operation, host(request)), describe, request);
}

/// The user's handle is that of the host's own persistent request of the same arguments, which
/// Carpool's stands behind (PersistentRequests). So the host has checked the arguments, and where a
/// start does not pass through this library, it starts the host's exchange on all ranks.
template <typename Describe, typename Host>
int persistent(const MpiFunction& function, MPI_Comm comm, Describe describe, Host host,
               MPI_Info info, MPI_Request* request) {
    const int code = host();
    if (code == MPI_SUCCESS && takes_init(function, comm))
        put_behind(*request, function, on_host(describe()), info);
    return code;
}

}  // namespace carpool::interpose
