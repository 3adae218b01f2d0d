// SPDX-License-Identifier: MIT
#include "interpose/watched_requests.hpp"

#include "arguments/handle_number.hpp"
#include "report/profile.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace carpool::interpose {
namespace {

using report::Clock;

std::mutex watching;

std::unordered_map<std::int64_t, WatchedCall>& watched_calls() {  // by handle
    static auto* const all = new std::unordered_map<std::int64_t, WatchedCall>;
    return *all;
}

/// The program has spent this time in a call that did not complete the request.
void go_on(report::Profile& profile, WatchedCall& call, double charged) {
    profile.add_open(*call.calls, 0, charged);
    call.charged += charged;
}

/// The call that completed the request has returned.
void end(report::Profile& profile, const WatchedCall& call, Clock::time_point now) {
    profile.add_open(*call.calls, -1, -call.charged);
    profile.add_ended(*call.calls,
                      {std::chrono::duration<double>(now - call.began).count(), call.charged});
}

}  // namespace

/// The host may give the handle of a request whose end was not seen to another: the call of the
/// first stays open.
void WatchedRequests::watch(MPI_Request handle, const WatchedCall& call) {
    const std::lock_guard lock(watching);
    if (watched_calls().insert_or_assign(arguments::bits_of(handle), call).second) ++count_;
}

std::optional<WatchedCall> WatchedRequests::take(MPI_Request handle) {
    const std::lock_guard lock(watching);
    const auto found = watched_calls().extract(arguments::bits_of(handle));
    if (found.empty()) return std::nullopt;
    --count_;
    return found.mapped();
}

/// A handle is taken before the host's call, since another thread may get it for a new request as
/// soon as that has completed this one.
CompletionCall::CompletionCall(int count, const MPI_Request* requests)
    : before_(requests, requests + count) {
    for (const auto handle : before_) watched_.push_back(WatchedRequests::take(handle));
    mark_ = report::Profile::wanted()->enter_call(Clock::now());
}

void CompletionCall::returned(const MPI_Request* requests) {
    auto& profile = *report::Profile::wanted();
    const auto now = Clock::now();
    const auto active = std::ssize(before_) - std::ranges::count(before_, MPI_REQUEST_NULL);
    const double charged = profile.leave_call(now, mark_);
    for (std::size_t i = 0; i < before_.size(); ++i) {
        if (!watched_[i]) continue;
        auto& call = *watched_[i];
        const double part = charged / static_cast<double>(active);
        if (call.hosts != nullptr) profile.charge(*call.hosts, part);
        go_on(profile, call, part);
        if (requests[i] == MPI_REQUEST_NULL)
            end(profile, call, now);
        else
            WatchedRequests::watch(before_[i], call);
    }
}

}  // namespace carpool::interpose
