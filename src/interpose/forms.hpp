#pragma once

#include "api/forms.hpp"
#include "api/guarded.hpp"
#include "call/host_begun.hpp"
#include "call/pipeline.hpp"
#include "engine/activity.hpp"
#include "engine/host_progress.hpp"
#include "engine/inside_call.hpp"
#include "engine/mpi_request.hpp"
#include "engine/request.hpp"
#include "interpose/comm_use.hpp"
#include "interpose/host_calls.hpp"
#include "interpose/persistent_requests.hpp"
#include "interpose/settings.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <memory>
#include <optional>
#include <utility>

namespace carpool::interpose {

// The forms of MPI's collectives. Carpool makes the call. The host makes it if Carpool does not
// take it, or refuses its arguments before any message was sent; then the host says what is wrong
// with them.
//
// `describe` returns the call as src/api describes it, and `host` calls the host's function.

/// The function that the program has called.
struct MpiFunction {
    const char* name;
    MpiOperation operation;
};

/// The use of the communicator if Carpool makes this blocking or nonblocking call; else null. A
/// callback of the user's that Carpool's own calls lead to gets the host's collectives: that of an
/// attribute is called where Carpool duplicates a communicator.
inline CommUse* use_for_call(const MpiFunction& function, MPI_Comm comm) {
    const bool asked = Settings::of_process().calls[index_of(function.operation)];
    const bool within = engine::InsideCall::now();
    auto* const use = asked && !within ? CommUse::of(comm) : nullptr;
    if (use != nullptr && use->takes_call(function.operation)) return use;
    note_host_call(function.operation, CommUse::why_not(use, asked, function.operation));
    return nullptr;
}

/// Whether Carpool makes a persistent request of the operation.
inline bool takes_init(const MpiFunction& function, MPI_Comm comm) {
    const bool asked = Settings::of_process().persistent[index_of(function.operation)];
    const bool arrive = PersistentRequests::all_calls_arrive();
    const auto* const use = asked && arrive ? CommUse::of(comm) : nullptr;
    if (use != nullptr && use->may_take(function.operation)) return true;
    note_host_call(function.operation,
                   arrive ? CommUse::why_not(use, asked, function.operation)
                          : "persistent: a tool intercepts MPI_Start, MPI_Wait or the like");
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

/// Whether blocks of other ranks can be forwarded while the program is inside MPI, where it may
/// block before it completes a call.
inline bool host_progresses() {
    return before_messages([] { return engine::HostProgress::available(); });
}

/// Runs the body and returns its code; an error has then been raised on the communicator. Returns
/// nothing if the arguments were refused: then the host must make the call.
template <typename Body>
std::optional<int> run(const MpiFunction& function, MPI_Comm comm, Body body) {
    return api::attempted(function.name, body, [&](const mpi::Error& error) -> std::optional<int> {
        if (!error.is_before_messages())
            return api::report(function.name, comm, error.error_class(), error.what());
        note_host_call(function.operation, error.what());
        return std::nullopt;
    });
}

template <typename Call>
std::optional<int> make_blocking(const MpiFunction& function, const Call& call) {
    return run(function, call.comm, [&] {
        constexpr auto until = call::ReturnsAt::end;
        engine::Activity::clear_away();
        if (const auto bound = recent(call, until)) return call::start_and_wait(call.comm, bound);
        call::wait_for(*before_messages([&] { return once(call, until); }));
    });
}

/// Begins a nonblocking call by Carpool's own messages; a null request if that is not possible.
template <typename Call>
MPI_Request begun_by_messages(const char* function, const Call& call) {
    constexpr auto until = call::ReturnsAt::begun;
    if (!host_progresses()) return MPI_REQUEST_NULL;
    if (auto bound = recent(call, until))
        return api::entrusted(function, call, call::again(call.comm, std::move(bound)));
    if (call::must_begin_at_host(call.comm)) return MPI_REQUEST_NULL;
    auto begun = before_messages([&] { return once(call, until); });
    if (begun->refused()) begun->wait();  // which throws why
    return api::entrusted(function, call, std::move(begun));
}

/// Why a nonblocking call cannot be begun by messages.
inline mpi::Error cannot_begin() {
    const char* const why = host_progresses()
                                ? "nonblocking, and no blocking call or init on it yet"
                                : "nonblocking, and this MPI does not let libraries progress";
    return mpi::Error(MPI_ERR_OTHER, why).before_messages();
}

/// @param not_at_host  whether the host's function of the same name may not be used
template <typename Call>
std::optional<int> make_nonblocking(const MpiFunction& function, const Call& call, bool not_at_host,
                                    MPI_Request* request) {
    return run(function, call.comm, [&] {
        engine::Activity::clear_away();
        *request = begun_by_messages(function.name, call);
        if (*request != MPI_REQUEST_NULL) return;
        if (!not_at_host) {
            note_unprepared(function.operation);
            throw cannot_begin();
        }
        *request = before_messages([&] {
            engine::MpiRequest::check_supported();
            return begun_at_host(function.name, call);
        });
    });
}

/// Makes a persistent request behind a handle of the host's. An error, which is the same on all
/// ranks, leaves it to the host.
template <typename Call>
void put_behind(MPI_Request handle, const MpiFunction& function, const Call& call, MPI_Info info) {
    const auto put = [&] {
        if (!host_progresses())
            throw mpi::Error(MPI_ERR_OTHER,
                             "persistent, and this MPI does not let libraries progress");
        engine::Activity::clear_away();
        auto ours = initialised(call, info, call::Return::planned);
        api::keep_op(*ours, call);
        PersistentRequests::put_behind(handle, std::move(ours), function.name);
    };
    api::attempted(function.name, put, [&](const mpi::Error& error) {
        note_host_call(function.operation, error.what());
        return error.error_class();
    });
}

// The functions that MPI's names call.

template <typename Describe, typename Host>
int blocking(const MpiFunction& function, MPI_Comm comm, Describe describe, Host host) {
    if (use_for_call(function, comm) == nullptr) return host();
    const auto code = make_blocking(function, describe());
    return code ? *code : host();
}

template <typename Describe, typename Host>
int nonblocking(const MpiFunction& function, MPI_Comm comm, Describe describe, Host host,
                MPI_Request* request) {
    auto* const use = use_for_call(function, comm);
    if (use == nullptr || request == nullptr) return host();
    const bool not_at_host = use->host_may_be_wrong(function.operation);
    const auto code = make_nonblocking(function, describe(), not_at_host, request);
    return code ? *code : host();
}

/// The user's handle is that of the host's own persistent request of the same arguments, which
/// Carpool's stands behind (PersistentRequests). So the host has checked the arguments, and where a
/// start does not pass through this library, it starts the host's exchange on all ranks.
template <typename Describe, typename Host>
int persistent(const MpiFunction& function, MPI_Comm comm, Describe describe, Host host,
               MPI_Info info, MPI_Request* request) {
    const int code = host();
    if (code == MPI_SUCCESS && takes_init(function, comm))
        put_behind(*request, function, describe(), info);
    return code;
}

}  // namespace carpool::interpose
