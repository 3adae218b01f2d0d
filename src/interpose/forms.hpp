#pragma once

#include "api/forms.hpp"
#include "api/guarded.hpp"
#include "call/host_begun.hpp"
#include "call/pipeline.hpp"
#include "engine/activity.hpp"
#include "engine/host_errors.hpp"
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

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

namespace carpool::interpose {

// The forms of MPI's collectives. Each makes its call by Carpool, or by the host where Carpool does
// not take it, and where it refuses the arguments before a message has been sent: then the host
// says what is wrong with them.
//
// `describe` returns the call as src/api describes it, and `host` calls the host's function.

/// The function that the program has called.
struct Called {
    const char* function;
    MpiOperation operation;
};

/// The use of the communicator if Carpool makes this blocking or nonblocking call; else null.
inline CommUse* taken(const Called& called, MPI_Comm comm) {
    const auto& settings = Settings::of_process();
    const bool asked = settings.calls[static_cast<std::size_t>(called.operation)];
    auto* const use = asked ? CommUse::of(comm) : nullptr;
    if (use != nullptr && use->takes_call(called.operation)) return use;
    if (reports_host_calls())
        note_host_call(called.operation, CommUse::why_not(use, asked, called.operation));
    return nullptr;
}

/// Whether Carpool makes a persistent request of the operation.
inline bool takes_init(const Called& called, MPI_Comm comm) {
    const auto operation = static_cast<std::size_t>(called.operation);
    const bool asked = Settings::of_process().persistent[operation];
    const bool arrives = PersistentRequests::all_calls_arrive();
    const auto* const use = asked && arrives ? CommUse::of(comm) : nullptr;
    if (use != nullptr && use->takes_init(called.operation)) return true;
    note_host_call(called.operation,
                   arrives ? CommUse::why_not(use, asked, called.operation)
                           : "persistent: a tool has MPI_Start, MPI_Wait or the like");
    return false;
}

/// Makes a request; whatever it throws is thrown before a message has been sent.
template <typename Make>
auto made(Make make) {
    try {
        return make();
    } catch (const mpi::Error& error) {
        throw error.before_messages();
    }
}

/// Runs the body, and returns its error code, whose error has been raised on the communicator; or
/// nothing if the arguments have been refused, so that the host must make the call.
template <typename Body>
std::optional<int> code_of(const Called& called, MPI_Comm comm, Body body) {
    try {
        engine::HostErrors::restore();
        const engine::InsideCall inside(called.function);
        body();
        return MPI_SUCCESS;
    } catch (...) {
        const auto error = mpi::error_of(std::current_exception());
        if (!error.is_before_messages())
            return api::report(called.function, comm, error.error_class(), error.what());
        note_host_call(called.operation, error.what());
        return std::nullopt;
    }
}

/// Makes a blocking call.
template <typename Call>
std::optional<int> called_and_ended(const Called& called, const Call& call) {
    return code_of(called, call.comm, [&] {
        constexpr auto until = call::ReturnsAt::end;
        engine::Activity::clear_away();
        if (const auto bound = recent(call, until)) return call::start_and_wait(call.comm, bound);
        call::wait_for(*made([&] { return once(call, until); }));
    });
}

/// Begins a nonblocking call by Carpool's own messages; a null request if that is not possible.
/// Without progress of the host's nothing would pass on blocks of other ranks while the program
/// blocks in other calls of MPI.
template <typename Call>
MPI_Request begun_by_messages(const char* function, const Call& call) {
    constexpr auto until = call::ReturnsAt::begun;
    if (!engine::HostProgress::available()) return MPI_REQUEST_NULL;
    if (auto bound = recent(call, until))
        return api::entrusted(function, call, call::again(call.comm, std::move(bound)));
    if (call::must_begin_at_host(call.comm)) return MPI_REQUEST_NULL;
    auto begun = made([&] { return once(call, until); });
    if (begun->refused()) begun->wait();  // which throws why
    return api::entrusted(function, call, std::move(begun));
}

/// Why a nonblocking call cannot be begun by messages.
inline mpi::Error left_to_host(MpiOperation operation) {
    if (!engine::HostProgress::available())
        return {MPI_ERR_OTHER, "nonblocking, and this MPI lets no library progress"};
    note_unprepared(operation);
    return {MPI_ERR_OTHER, "nonblocking, before a blocking call or an init on it"};
}

/// Begins a nonblocking call.
/// @param not_at_host  whether the host's function of the same name may not be used
template <typename Call>
std::optional<int> begun(const Called& called, const Call& call, bool not_at_host,
                         MPI_Request* request) {
    return code_of(called, call.comm, [&] {
        engine::Activity::clear_away();
        *request = begun_by_messages(called.function, call);
        if (*request != MPI_REQUEST_NULL) return;
        if (!not_at_host) throw left_to_host(called.operation).before_messages();
        *request = made([&] {
            engine::MpiRequest::check_supported();
            return begun_at_host(called.function, call);
        });
    });
}

/// Makes a persistent request behind a handle of the host's. An error, which is the same on all
/// ranks, leaves it to the host.
template <typename Call>
void put_behind(MPI_Request handle, const Called& called, const Call& call, MPI_Info info) {
    try {
        engine::HostErrors::restore();
        const engine::InsideCall inside(called.function);
        if (!engine::HostProgress::available())
            throw mpi::Error(MPI_ERR_OTHER, "persistent, and this MPI lets no library progress");
        engine::Activity::clear_away();
        auto ours = initialised(call, info, call::Return::planned);
        api::keep_op(*ours, call);
        PersistentRequests::put_behind(handle, std::move(ours), called.function);
    } catch (...) {
        note_host_call(called.operation, mpi::error_of(std::current_exception()).what());
    }
}

// The functions that MPI's names call.

template <typename Describe, typename Host>
int blocking(const Called& what, MPI_Comm comm, Describe describe, Host host) {
    if (taken(what, comm) == nullptr) return host();
    const auto code = called_and_ended(what, describe());
    return code ? *code : host();
}

template <typename Describe, typename Host>
int nonblocking(const Called& what, MPI_Comm comm, Describe describe, Host host,
                MPI_Request* request) {
    auto* const use = taken(what, comm);
    if (use == nullptr || request == nullptr) return host();
    const auto code = begun(what, describe(), use->host_may_be_wrong(what.operation), request);
    return code ? *code : host();
}

/// The user's handle is that of the host's own persistent request of the same arguments, which
/// Carpool's stands behind (PersistentRequests). So the host has checked the arguments, and where a
/// start does not pass through this library, it starts the host's exchange on all ranks.
template <typename Describe, typename Host>
int persistent(const Called& what, MPI_Comm comm, Describe describe, Host host, MPI_Info info,
               MPI_Request* request) {
    const int code = host();
    if (code == MPI_SUCCESS && takes_init(what, comm)) put_behind(*request, what, describe(), info);
    return code;
}

}  // namespace carpool::interpose
