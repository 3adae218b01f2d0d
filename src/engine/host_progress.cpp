// SPDX-License-Identifier: MIT
#include "engine/host_progress.hpp"

#include "mpi/error.hpp"
#include "mpi/host_symbol.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"

#include <mpi.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace carpool::engine {
namespace {

enum class Means { mpich, open_mpi, thread, none };

// Open MPI calls a list of functions whenever it has to wait or test. A function may leave the list
// while it is called. No header declares this, but all versions have it.
using OpenMpiCallback = int();
using OpenMpiChange = int(OpenMpiCallback*);

OpenMpiChange* open_mpi_register() {
    static auto* const found = mpi::host_function<OpenMpiChange>("opal_progress_register");
    return found;
}

OpenMpiChange* open_mpi_unregister() {
    static auto* const found = mpi::host_function<OpenMpiChange>("opal_progress_unregister");
    return found;
}

// MPICH, from version 4.3 on, calls functions until they return that they are done. The header may
// be of another version, so this is declared here; streams came earlier.
#ifdef MPIX_STREAM_NULL
using MpichCallback = int(void*);
using MpichStart = int(MpichCallback*, void*, MPIX_Stream);
constexpr int mpich_no_progress = 0;
constexpr int mpich_done = 1;

MpichStart* mpich_start() {
    static auto* const found = mpi::host_function<MpichStart>("MPIX_Async_start");
    return found;
}
#endif

Means host_means() {
#ifdef MPIX_STREAM_NULL
    if (mpich_start() != nullptr) return Means::mpich;
#endif
    return open_mpi_register() != nullptr && open_mpi_unregister() != nullptr ? Means::open_mpi
                                                                              : Means::none;
}

Means wanted_means() {
    const char* const value = std::getenv("CARPOOL_PROGRESS");
    const std::string_view wanted = value != nullptr ? value : "host";
    if (wanted == "none") return Means::none;
    if (wanted == "thread" && mpi::threads_are_allowed()) return Means::thread;
    if (wanted == "thread" || wanted == "host") return host_means();
    throw mpi::Error(MPI_ERR_ARG, "environment variable CARPOOL_PROGRESS is " +
                                      std::string(wanted) + ", expected host, thread or none");
}

Means means() {
    static const Means known = wanted_means();
    return known;
}

using StepOutcome = HostProgress::StepOutcome;

std::atomic<HostProgress::Step> step = nullptr;

#ifdef MPIX_STREAM_NULL
int called_by_mpich(void*) {
    const mpi::ProgressScope within;
    return step.load()() == StepOutcome::none_left ? mpich_done : mpich_no_progress;
}
#endif

/// While this lives, Open MPI does not yield when it progresses: the caller yields afterwards, and
/// a second yield only delays. Threads that are here at the same time share the setting, and Open
/// MPI's progress may call this callback again from within it. So the original value is read once,
/// and the last that leaves restores it.
class Hasty {
public:
    Hasty() {
        if (gives_way() && here_++ == 0) set()(false);
    }
    Hasty(const Hasty&) = delete;
    Hasty& operator=(const Hasty&) = delete;
    ~Hasty() {
        if (gives_way() && --here_ == 0) set()(true);
    }

private:
    static inline std::atomic<int> here_ = 0;

    using SetYield = bool(bool);

    static SetYield* set() {
        static auto* const found =
            mpi::host_function<SetYield>("opal_progress_set_yield_when_idle");
        return found;
    }

    static bool gives_way() {
        static const bool known = set() != nullptr && was_set();
        return known;
    }

    static bool was_set() {
        const bool before = set()(false);
        set()(before);
        return before;
    }
};

int called_by_open_mpi() {
    const Hasty hasty;
    const auto stepped = step.load()();
    if (stepped == StepOutcome::none_left) open_mpi_unregister()(called_by_open_mpi);
    return stepped == StepOutcome::some_ended ? 1 : 0;  // after no event Open MPI yields
}

/// A thread that takes steps while there are any, and else sleeps.
class Thread {
public:
    static Thread& only() {
        static auto* const thread = new Thread;  // a process may end without MPI_Finalize
        return *thread;
    }

    void begin() {
        const std::lock_guard lock(mutex_);
        if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
        wanted_ = true;
        wake_.notify_one();
    }

    void finish() {
        {
            const std::lock_guard lock(mutex_);
            finished_ = true;
            wake_.notify_one();
        }
        if (thread_.joinable()) thread_.join();
        finished_ = false;
    }

private:
    void run() {
        while (awaken())
            while (step.load()() != StepOutcome::none_left) std::this_thread::yield();
    }

    bool awaken() {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return wanted_ || finished_; });
        wanted_ = false;
        return !finished_;
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::thread thread_;
    bool wanted_ = false;
    bool finished_ = false;
};

}  // namespace

bool HostProgress::available() { return means() != Means::none; }

bool HostProgress::begin(Step next_step) {
    step = next_step;
    switch (means()) {
#ifdef MPIX_STREAM_NULL
        case Means::mpich:
            return mpich_start()(called_by_mpich, nullptr, MPIX_STREAM_NULL) == MPI_SUCCESS;
#endif
        case Means::open_mpi:
            return open_mpi_register()(called_by_open_mpi) == 0;
        case Means::thread:
            Thread::only().begin();
            return true;
        default:
            return false;
    }
}

/// Does not look at CARPOOL_PROGRESS: at the end of MPI a wrong value is no error any more.
void HostProgress::finish() { Thread::only().finish(); }

}  // namespace carpool::engine
