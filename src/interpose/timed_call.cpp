// SPDX-License-Identifier: MIT
#include "interpose/timed_call.hpp"

#include "interpose/reasons.hpp"
#include "interpose/watched_requests.hpp"
#include "mpi/attribute.hpp"
#include "mpi/comm/in_use.hpp"
#include "mpi/lives.hpp"
#include "report/profile.hpp"

#include <chrono>
#include <string>

namespace carpool::interpose {

using report::Clock;

/// What is known of a call. The report's own work is kept out of its time as far as possible.
struct TimedCall::Open {
    Open(report::Profile& to, MpiOperation what, MPI_Comm where)
        : profile(to),
          operation(names_of_operations[index_of(what)]),
          comm(where),
          began(Clock::now()),
          mark(to.enter_call(began)) {}

    /// The program leaves the call.
    void leave() {
        const auto now = Clock::now();
        seconds = std::chrono::duration<double>(now - began).count();
        charged = profile.leave_call(now, mark);
        is_inside = false;
    }

    /// Counts it as a call that the host has made.
    report::HostCalls& left_to_host(const CommExtent& extent) const {
        const bool never = extent.is_inter || extent.ranks == 1;
        const auto reason = reason_of(never ? reasons::few_ranks.text : why);
        auto& calls = profile.leave_to_host({std::string(reason.text), operation}, reason.remedy);
        profile.charge(calls, charged);
        return calls;
    }

    report::Profile& profile;
    const char* operation;
    MPI_Comm comm;
    std::string_view why = {};
    std::string error = {};  // its text, if that is why
    Clock::time_point began;
    double mark;
    bool is_inside = true;
    double seconds = 0;
    double charged = 0;
};

void TimedCall::Close::operator()(Open* open) const {
    if (open->is_inside) open->leave();
    delete open;
}

void TimedCall::begin(MpiOperation operation, MPI_Comm comm) {
    if (!mpi::in_use(comm) || !mpi::lives(comm)) return;
    if (auto* const profile = report::Profile::wanted())
        open_.reset(new Open(*profile, operation, comm));
}

void TimedCall::note_reason(std::string_view why) { open_->why = why; }

void TimedCall::keep_text(const mpi::Error& error) {
    open_->error = error.what();
    open_->why = open_->error;
}

void TimedCall::leave() { open_->leave(); }

const CommExtent& TimedCall::extent() const {
    return *mpi::Attribute<CommExtent>::of(open_->comm, open_->comm);
}

void TimedCall::add(report::Maker maker, std::int64_t bytes, const MPI_Request* request) {
    auto& open = *open_;
    auto& profile = open.profile;
    auto& calls = profile.calls(
        {profile.number_of(open.comm), open.operation, report::size_class_of(bytes), maker}, bytes);
    auto* const hosts = maker == report::Maker::host ? &open.left_to_host(extent()) : nullptr;
    if (request == nullptr) return profile.add_ended(calls, {open.seconds, open.charged});
    profile.add_open(calls, 1, open.charged);
    WatchedRequests::watch(*request, {&calls, hosts, open.began, open.charged});
}

}  // namespace carpool::interpose
