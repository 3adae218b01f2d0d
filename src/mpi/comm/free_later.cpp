// SPDX-License-Identifier: MIT
#include "mpi/comm/free_later.hpp"

#include "base/mutex.hpp"
#include "mpi/tests.hpp"
#include "mpi/until_end.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace carpool::mpi {
namespace {

bool has_message(MPI_Comm comm) {
    int flag = 0;
    return MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS ||
           flag != 0;
}

/// The communicators of this process that wait to be freed, the last ones until the end of MPI.
/// What is added even later is not freed.
class UnusedComms {
public:
    UnusedComms() = default;
    UnusedComms(const UnusedComms&) = delete;
    UnusedComms& operator=(const UnusedComms&) = delete;
    ~UnusedComms() {
        for (auto& comm : comms_) static_cast<void>(comm.release());
    }

    void add(Comm comm) {
        const std::lock_guard lock(mutex_);
        comms_.push_back(std::move(comm));
    }

    void free() {
        std::unique_lock lock(mutex_);
        auto comms = std::exchange(comms_, {});
        lock.unlock();
        for (auto& comm : comms)
            if (has_message(comm.get())) static_cast<void>(comm.release());
    }

    void on_free() { free(); }

private:
    std::mutex mutex_;
    std::vector<Comm> comms_;
};

}  // namespace

/// With several threads nothing is freed here: the host MPI may hold a lock for which another
/// thread waits, or this one would.
void free_later(Comm comm) {
    until_end<UnusedComms>()->add(std::move(comm));
    if (base::Mutex::expects_one_thread()) free_what_waits();
}

void free_what_waits() {
    if (may_wait()) until_end<UnusedComms>()->free();
}

}  // namespace carpool::mpi
