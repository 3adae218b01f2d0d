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
#include <cstdlib>
#include <memory>
#include <string_view>

namespace bench {

/// Where all ranks of a machine meet before what is timed: a counter in memory that they share. A
/// barrier of the host's would leave the code and data of its collectives warm, and so favour them.
/// Where ranks share no memory, or BENCH_BARRIER is "host", it is the host's all the same.
class Meeting {
public:
    /// @note Collective
    explicit Meeting(MPI_Comm comm) {
        const char* const wish = std::getenv("BENCH_BARRIER");
        if (wish == nullptr || std::string_view(wish) != "host") share(comm);
    }

    /// Until all ranks are here.
    /// @note Collective @pre the same ranks as at first
    void wait(MPI_Comm comm) {
        if (!count_) return check(MPI_Barrier(comm));
        awaited_ += ranks_;
        count_->fetch_add(1, std::memory_order_acq_rel);
        while (count_->load(std::memory_order_acquire) < awaited_) sched_yield();
    }

private:
    using Count = std::atomic<long>;

    struct Unmap {
        void operator()(Count* count) const { munmap(count, sizeof *count); }
    };
    using Mapped = std::unique_ptr<Count, Unmap>;

    /// The first rank makes a file, all map it, and nobody needs its name any more.
    void share(MPI_Comm comm) {
        int rank = 0;
        check(MPI_Comm_rank(comm, &rank));
        check(MPI_Comm_size(comm, &ranks_));
        std::array<char, 64> name{"/tmp/carpool-bench-XXXXXX"};
        int file = rank == 0 ? mkstemp(name.data()) : -1;
        const bool has_room = rank != 0 || (file >= 0 && ftruncate(file, sizeof(Count)) == 0);
        check(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, comm));
        if (rank != 0) file = open(name.data(), O_RDWR);
        if (has_room) count_ = mapped(file);
        int sharing = count_ ? 1 : 0;
        check(MPI_Allreduce(MPI_IN_PLACE, &sharing, 1, MPI_INT, MPI_SUM, comm));
        if (sharing < ranks_) count_.reset();
        if (rank == 0) unlink(name.data());
    }

    /// Closes the file. Zero at first, as a new file is.
    static Mapped mapped(int file) {
        if (file < 0) return nullptr;
        void* const at = mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        return Mapped(at == MAP_FAILED ? nullptr : static_cast<Count*>(at));
    }

    int ranks_ = 0;
    Mapped count_;  // of arrivals; null where the host's barrier does it
    long awaited_ = 0;
};

}  // namespace bench
