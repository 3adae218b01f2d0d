// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "mpi/comm/comm_state.hpp"

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace carpool::engine {

/// A call or start that has not ended, and a function that visits the ranks whose messages are
/// missing, some perhaps repeatedly.
struct UnfinishedCall {
    const char* function;  ///< the user's call
    MPI_Comm comm;         ///< MPI_COMM_NULL once it has been freed
    const mpi::CommState& state;
    std::optional<std::int64_t> sequence_number;  ///< the number of a blocking or nonblocking call
    std::optional<int> code;                      ///< the code of its messages, if they have one
    std::function<void(const base::RankVisitor&)> visit_awaited = [](const auto&) {};
};

/// Watches how long a call or start has been polled in vain while nothing else in the process has
/// ended, and looks for the reason after longer and longer times. If an awaited rank has sent
/// messages of another call, that is an error. After CARPOOL_WAIT_REPORT seconds (10 by default, 0
/// for never) a line on stderr says which ranks are waited for; after CARPOOL_TIMEOUT seconds, if
/// that is set, the wait ends in an error.
class WaitReport {
public:
    void begin() { fruitless_ = 0; }

    /// Called after each step that has brought nothing; returns whether it is time to look.
    bool is_over() { return ++fruitless_ % steps_between_clocks == 0 && clock_says_so(); }

    /// Throws MPI_ERR_ARG if an awaited rank is in another call, MPI_ERR_OTHER if CARPOOL_TIMEOUT
    /// has passed.
    void look(const UnfinishedCall& what);

    /// Notes that something has ended, so the process makes progress.
    static void note_end() {
        ends_.store(ends_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr unsigned steps_between_clocks = 64;

    /// A message with the sequence number of this call, but with the code of another.
    struct Suspicion {
        int rank;
        int tag;
        friend bool operator==(const Suspicion&, const Suspicion&) = default;
    };

    static inline std::atomic<unsigned> ends_ = 0;

    bool clock_says_so();
    void check_messages(const UnfinishedCall& what);
    void check_time(const UnfinishedCall& what);

    std::uint64_t fruitless_ = 0;
    unsigned ends_before_ = 0;
    bool told_ = false;
    Clock::time_point began_;
    Clock::time_point seen_;
    Clock::time_point next_look_;
    std::optional<Suspicion> suspicion_;
};

/// A text that names the ranks that are waited for; calls no MPI function.
std::string text_of(const UnfinishedCall& what);

}  // namespace carpool::engine
