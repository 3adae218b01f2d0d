// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

namespace bench {

/// Synchronizes all ranks of a machine before a timed run, by a counter in shared memory. A barrier
/// of the host MPI would keep the code and data of its collectives warm in the caches, and so favor
/// them. Where ranks share no memory, or BENCH_BARRIER is "host", it is the host MPI's barrier
/// nevertheless.
class Meeting {
public:
    /// @note Collective
    explicit Meeting(MPI_Comm comm) {
        const char* const wish = std::getenv("BENCH_BARRIER");
        if (wish == nullptr || std::string_view(wish) != "host") share(comm);
    }

    /// Waits until all ranks are here.
    /// @note Collective @pre the same ranks as in the constructor
    void wait(MPI_Comm comm) {
        if (!count_) return check(MPI_Barrier(comm));
        awaited_ += ranks_;
        count_->fetch_add(1, std::memory_order_acq_rel);
        for (int looks = 1; count_->load(std::memory_order_acquire) < awaited_; ++looks) {
            sched_yield();
            if (looks % many == 0) progress_host(comm);
        }
    }

private:
    using Count = std::atomic<long>;

    static constexpr int many = 4096;

    /// Lets the host MPI progress, since another rank may wait for a message that it has still to
    /// send.
    static void progress_host(MPI_Comm comm) {
        int flag = 0;
        check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
    }

    struct Unmap {
        void operator()(Count* count) const { munmap(count, sizeof *count); }
    };
    using Mapped = std::unique_ptr<Count, Unmap>;

    /// Rank 0 makes an anonymous file, and all ranks map it.
    void share(MPI_Comm comm) {
        int rank = 0;
        check(MPI_Comm_rank(comm, &rank));
        check(MPI_Comm_size(comm, &ranks_));
        const int made = rank == 0 ? memfd_create("carpool-bench", 0) : -1;
        if (made >= 0 && ftruncate(made, sizeof(Count)) != 0) std::perror("carpool-bench");
        std::array<long, 2> where{getpid(), made};
        check(MPI_Bcast(where.data(), static_cast<int>(where.size()), MPI_LONG, 0, comm));
        const auto path = "/proc/" + std::to_string(where[0]) + "/fd/" + std::to_string(where[1]);
        count_ = mapped(open(path.c_str(), O_RDWR));
        int sharing = count_ ? 1 : 0;
        check(MPI_Allreduce(MPI_IN_PLACE, &sharing, 1, MPI_INT, MPI_SUM, comm));
        if (sharing < ranks_) count_.reset();
        if (made >= 0) close(made);
    }

    /// Maps the file and closes it. The counter is zero, as a new file's contents are.
    static Mapped mapped(int file) {
        if (file < 0) return nullptr;
        void* const at = mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        return Mapped(at == MAP_FAILED ? nullptr : static_cast<Count*>(at));
    }

    int ranks_ = 0;
    Mapped count_;  // arrivals; null if the host MPI's barrier is used
    long awaited_ = 0;
};

}  // namespace bench
