// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <atomic>

namespace carpool::mpi {

/// The time in which this process uses MPI: from the first call of Carpool until MPI_Finalize or,
/// in a program by sessions alone (MPI 4.1, section 11.3), until the process exits. If sessions
/// outlive MPI_Finalize, a second use follows the first. in_use() begins each.
class Use {
public:
    /// Has it begun, and has its end not begun? Asking Open MPI in each call would take a tenth of
    /// a short start.
    static bool runs() { return runs_.load(std::memory_order_acquire); }

    /// Is it, or was it, by sessions? Then MPI_COMM_WORLD and MPI_COMM_SELF need not exist.
    static bool by_sessions() { return by_sessions_; }

    /// The number of the latest use, from 1 on; 0 before the first.
    static int number() { return number_.load(std::memory_order_acquire); }

    /// A communicator of this process alone that lasts as long: MPI_COMM_SELF, or that of a session
    /// of the library's own. MPI_COMM_NULL before the first use.
    static MPI_Comm own_comm() { return own_comm_; }

    /// The rank of this process in MPI_COMM_WORLD, or among those of mpi://WORLD; -1 before the
    /// first use.
    static int rank() { return rank_; }

    /// Is this the first time in this use that it is asked of a mark? A mark begins with 0.
    static bool is_first(std::atomic<int>& mark) {
        const int use = number();
        return mark.load(std::memory_order_relaxed) != use && mark.exchange(use) != use;
    }

    /// Has a use by sessions ended, as it does when the process exits?
    static bool has_exited() { return has_exited_; }

    /// What begins with a use.
    struct Start {
        MPI_Comm own_comm;
        int rank;
        bool by_sessions;
    };
    static void begin(const Start& start) {
        own_comm_ = start.own_comm;
        rank_ = start.rank;
        by_sessions_ = start.by_sessions;
        ++number_;
        runs_ = true;
    }
    static void end() { runs_ = false; }
    static void exit() { has_exited_ = true; }

private:
    static inline std::atomic<bool> runs_ = false;
    static inline std::atomic<bool> by_sessions_ = false;
    static inline std::atomic<bool> has_exited_ = false;
    static inline std::atomic<int> number_ = 0;
    static inline std::atomic<int> rank_ = -1;
    static inline std::atomic<MPI_Comm> own_comm_ = MPI_COMM_NULL;
};

}  // namespace carpool::mpi
