// SPDX-License-Identifier: MIT
#pragma once

#include "report/records.hpp"
#include "report/shared_time.hpp"

#include <mpi.h>

#include <atomic>
#include <optional>
#include <vector>

namespace carpool::interpose {

/// A nonblocking call of the program whose end is still to be seen, for a report.
struct WatchedCall {
    report::Calls* calls;
    report::HostCalls* hosts;  ///< null if Carpool makes it
    report::Clock::time_point began;
    double charged;
};

/// The requests of such calls. The calls that complete them are those of this library, except where
/// a tool has some of its own; then their end is not seen. Any thread may call any function.
class WatchedRequests {
public:
    static bool any() { return count_.load(std::memory_order_relaxed) > 0; }
    static void watch(MPI_Request handle, const WatchedCall& call);

    /// The call of this handle, which is no longer watched, if there is one.
    static std::optional<WatchedCall> take(MPI_Request handle);

private:
    static inline std::atomic<int> count_ = 0;
};

/// A call of MPI that may complete requests. All active ones are charged equal parts of its time.
class CompletionCall {
public:
    CompletionCall(int count, const MPI_Request* requests);

    /// The call has returned. The requests that are null now have ended.
    void returned(const MPI_Request* requests);

private:
    std::vector<MPI_Request> before_;
    std::vector<std::optional<WatchedCall>> watched_;  // of the same requests
    double mark_;
};

}  // namespace carpool::interpose
