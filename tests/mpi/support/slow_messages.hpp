// SPDX-License-Identifier: MIT
#pragma once
// Makes Carpool's messages by MPI slow, but not those of the host MPI's own collectives, by a clock
// of its own: so what measurements see does not depend on how busy the machine is. Include it once
// per program.

#include "handles.hpp"

#include <chrono>
#include <ctime>

namespace carpool::tests {

/// While it lives, the clock of this process stands still but for messages of more than eight
/// bytes, each of which takes its sender two milliseconds. (Messages of the library's votes are
/// shorter.)
class SlowMessages {
public:
    using Clock = std::chrono::steady_clock;

    SlowMessages() {
        now_ = real_time();
        slow_ = true;
    }
    SlowMessages(const SlowMessages&) = delete;
    SlowMessages& operator=(const SlowMessages&) = delete;
    ~SlowMessages() { slow_ = false; }

    static Clock::time_point now() { return slow_ ? now_ : real_time(); }

    static void send(int bytes) {
        if (bytes > 8) now_ += std::chrono::milliseconds(2);
    }

private:
    static Clock::time_point real_time() {
        std::timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        return Clock::time_point(std::chrono::seconds(time.tv_sec) +
                                 std::chrono::nanoseconds(time.tv_nsec));
    }

    static inline bool slow_ = false;
    static inline Clock::time_point now_;
};

/// Number of messages that this rank has sent by MPI_Isend.
inline int sent_by_mpi = 0;

/// An info by which candidates are measured. Until then these costs choose the rule.
inline Info measuring(const char* alpha = "1e-5", const char* beta = "3e-9",
                      const char* sigma = "1e-5") {
    return info_of({{"carpool_alpha", alpha},
                    {"carpool_beta", beta},
                    {"carpool_sigma", sigma},
                    {"carpool_choice", "measure"},
                    {"carpool_requests", "immediate"}});
}

}  // namespace carpool::tests

namespace std::chrono {
steady_clock::time_point steady_clock::now() noexcept {
    return carpool::tests::SlowMessages::now();
}
}  // namespace std::chrono

extern "C" int MPI_Isend(const void* b, int n, MPI_Datatype y, int r, int g, MPI_Comm c,
                         MPI_Request* q) {
    ++carpool::tests::sent_by_mpi;
    int size = 0;
    PMPI_Type_size(y, &size);
    carpool::tests::SlowMessages::send(n * size);
    return PMPI_Isend(b, n, y, r, g, c, q);
}
