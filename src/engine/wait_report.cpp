// SPDX-License-Identifier: MIT
#include "engine/wait_report.hpp"

#include "base/each_once.hpp"
#include "base/who_waits.hpp"
#include "engine/transport_choice.hpp"
#include "mpi/comm/call_code.hpp"
#include "mpi/comm/comm_name.hpp"
#include "mpi/error.hpp"
#include "mpi/tests.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace carpool::engine {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The seconds that an environment variable gives; 0 stands for never.
double seconds_in(const char* variable, double usual) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return usual;
    const double said = std::strtod(text, nullptr);
    return said > 0 ? said : never;
}

double seconds_until_report() {
    static const double seconds = seconds_in("CARPOOL_WAIT_REPORT", 10);
    return seconds;
}

double timeout() {
    static const double seconds = seconds_in("CARPOOL_TIMEOUT", never);
    return seconds;
}

std::string in_seconds(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g s", seconds);
    return text.data();
}

/// A message that matches no posted receive, and the call that it belongs to.
struct Stray {
    int rank;
    int tag;
    mpi::CommState::DecodedTag tag_content;
};

/// How many awaited ranks are asked for stray messages.
constexpr std::size_t most_asked = 64;

/// The first stray message of a rank.
std::optional<Stray> stray_of(int rank, const UnfinishedCall& what) {
    const auto& state = what.state;
    if (!state.has_channel() || state.size() == 1) return std::nullopt;
    const auto tag = unexpected_from(state, rank);
    if (!tag) return std::nullopt;
    const auto decoded = state.decoded(*tag, what.sequence_number.value_or(state.numbered_calls()));
    return decoded ? std::optional(Stray{rank, *tag, *decoded}) : std::nullopt;
}

/// Whether a message is of another call. Messages of this rank's own call may have come before this
/// rank has posted their receives: a message that goes by MPI within a node may be ahead of its
/// envelope, and a rendezvous message has the next lower code.
bool is_of_another(const Stray& stray, const UnfinishedCall& what) {
    const int code = stray.tag_content.code;
    const bool is_own = what.code && (code == *what.code || code + 1 == *what.code);
    return stray.tag_content.sequence_number == what.sequence_number && code != 0 && !is_own;
}

/// The stray message of another call that an awaited rank has sent. Allocates nothing, since it is
/// looked for in every long wait.
std::optional<Stray> stray_of_another(const UnfinishedCall& what) {
    std::optional<Stray> found;
    std::size_t asked = 0;
    const auto ask = [&](int rank) {
        if (found || asked++ >= most_asked) return;
        const auto stray = stray_of(rank, what);
        if (stray && is_of_another(*stray, what)) found = stray;
    };
    what.visit_awaited(std::ref(ask));
    return found;
}

std::string operation_of(const Stray& stray) {
    return mpi::CallCode(stray.tag_content.code).text();
}

base::UnderWay under_way(const UnfinishedCall& what) {
    base::UnderWay one{what.function, "", what.state.rank(), {}, {}, {}};
    if (what.sequence_number) one.call = *what.sequence_number + 1;
    what.visit_awaited([&](int rank) { one.awaited.push_back(rank); });
    base::keep_each_once(one.awaited);
    return one;
}

/// The text, with the calls that stray messages of those ranks belong to.
std::string text_with_messages(const UnfinishedCall& what) {
    auto one = under_way(what);
    if (what.comm != MPI_COMM_NULL) one.comm = mpi::comm_name(what.comm);
    const bool unchanged_program = std::string_view(what.function).starts_with("MPI_");
    one.is_first = unchanged_program && !what.state.has_channel();
    for (const int rank : std::span(one.awaited).first(std::min(most_asked, one.awaited.size())))
        if (const auto stray = stray_of(rank, what))
            one.unexpected.push_back(
                {rank, stray->tag_content.sequence_number + 1, operation_of(*stray)});
    return base::who_waits(one);
}

/// Prints one line for all that is under way in the process: a rank that waits for one activity
/// waits for the others, too.
void tell(const std::string& text, double seconds) {
    using Clock = std::chrono::steady_clock;
    static std::atomic<Clock::duration> told_at = Clock::duration::min();
    const auto now = Clock::now().time_since_epoch();
    const auto before = told_at.load();
    const bool soon = before != Clock::duration::min() &&
                      std::chrono::duration<double>(now - before).count() < seconds;
    if (soon) return;
    told_at = now;
    std::fprintf(stderr, "carpool: %s, for %s\n", text.c_str(), in_seconds(seconds).c_str());
}

}  // namespace

/// Time counts only while the activity is polled without a long pause and nothing else in the
/// process ends.
bool WaitReport::clock_says_so() {
    constexpr auto pause = std::chrono::seconds(10);
    constexpr Clock::duration first = std::chrono::milliseconds(50);
    constexpr Clock::duration longest = std::chrono::seconds(1);
    const auto now = Clock::now();
    const auto ends = ends_.load(std::memory_order_relaxed);
    if (fruitless_ == steps_between_clocks || now - seen_ > pause || ends != ends_before_) {
        ends_before_ = ends;
        began_ = now;
        next_look_ = now + first;
        told_ = false;
        suspicion_.reset();
    }
    seen_ = now;
    if (now < next_look_) return false;
    next_look_ = now + std::clamp(now - began_, first, longest);
    return true;
}

/// Does nothing within the host's progress, where nothing could be given up.
void WaitReport::look(const UnfinishedCall& what) {
    if (!mpi::may_wait()) return;
    if (what.sequence_number) check_messages(what);
    check_time(what);
}

/// Two looks must find the same message: one that was expected and came late has been received
/// between them.
void WaitReport::check_messages(const UnfinishedCall& what) {
    const auto before = std::exchange(suspicion_, std::nullopt);
    const auto stray = stray_of_another(what);
    if (!stray) return;
    suspicion_ = Suspicion{stray->rank, stray->tag};
    if (suspicion_ != before) return;
    throw mpi::Error(MPI_ERR_ARG, "rank " + std::to_string(stray->rank) + " is in " +
                                      operation_of(*stray) +
                                      " meanwhile, expected the same call on all ranks, with one "
                                      "root and operator, and with blocks of the same size at "
                                      "both ends");
}

void WaitReport::check_time(const UnfinishedCall& what) {
    const double seconds = std::chrono::duration<double>(seen_ - began_).count();
    if (seconds >= timeout())
        throw mpi::Error(MPI_ERR_OTHER,
                         text_with_messages(what) +
                             ", expected less than CARPOOL_TIMEOUT=" + in_seconds(timeout()));
    if (told_ || seconds < seconds_until_report()) return;
    told_ = true;
    tell(text_with_messages(what), seconds);
}

std::string text_of(const UnfinishedCall& what) { return base::who_waits(under_way(what)); }

}  // namespace carpool::engine
