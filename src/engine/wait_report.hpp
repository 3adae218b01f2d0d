#pragma once

#include "mpi/comm_state.hpp"

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carpool::engine {

/// A call or start that has not ended, and whose messages it misses.
struct Unfinished {
    const char* function;  ///< the user's call
    MPI_Comm comm;         ///< null once that has been freed
    const mpi::CommState& state;
    std::optional<std::int64_t> turn;  ///< of a call that ends once
    std::optional<int> code;           ///< of its messages, if they have one
    std::vector<int> ranks;
};

/// How long something has been asked in vain while nothing else in the process has ended, and why:
/// the reason is looked for after longer and longer times. A rank that is awaited may have sent
/// messages of another call: that is an error. After CARPOOL_WAIT_REPORT seconds (10 unless it says
/// otherwise, 0 for never) a line on stderr says who waits for whom; after CARPOOL_TIMEOUT seconds,
/// if it is given, that is an error.
class WaitReport {
public:
    void begin() { fruitless_ = 0; }

    /// Called at each step that has brought nothing: is it time to look?
    bool is_over() { return ++fruitless_ % steps_between_clocks == 0 && clock_says_so(); }

    /// Throws MPI_ERR_ARG where an awaited rank is in another call, MPI_ERR_OTHER where the time is
    /// over.
    void look(const Unfinished& what);

    /// Something that was asked in vain has ended, so the process goes on.
    static void note_end() {
        ends_.store(ends_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr unsigned steps_between_clocks = 64;

    /// A message of the same call that nobody here expects.
    struct Suspicion {
        int rank;
        int tag;
        friend bool operator==(const Suspicion&, const Suspicion&) = default;
    };

    static inline std::atomic<unsigned> ends_ = 0;

    bool clock_says_so();
    void check_messages(const Unfinished& what);
    void check_time(const Unfinished& what);

    std::uint64_t fruitless_ = 0;
    unsigned ends_before_ = 0;
    bool told_ = false;
    Clock::time_point began_;
    Clock::time_point seen_;
    Clock::time_point next_look_;
    std::optional<Suspicion> suspicion_;
};

/// Who waits for whom; asks MPI for nothing.
std::string text_of(const Unfinished& what);

}  // namespace carpool::engine
