#include "mpi/parting.hpp"

#include "mpi/attribute.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"

#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace carpool::mpi {
namespace {

/// A communicator, and what its ranks say of it.
class Parted {
public:
    Parted(Comm comm, bool kept) : comm_(std::move(comm)), kept_(kept ? 1 : 0) {}
    Parted(const Parted&) = delete;
    Parted& operator=(const Parted&) = delete;
    ~Parted() { static_cast<void>(comm_.release()); }  // unless it was freed

    /// Tells the others. What goes wrong leaves the communicator where it is: destructors tell.
    void tell() {
        if (std::exchange(told_, true)) return;
        if (has_message()) kept_ = 1;
        if (MPI_Iallreduce(MPI_IN_PLACE, &kept_, 1, MPI_INT, MPI_MAX, comm_.get(), &request_) !=
            MPI_SUCCESS)
            kept_ = 1;
    }

    /// Have all told, so that it is freed, or never will be?
    bool settled() {
        int flag = 0;
        MPI_Status status;
        if (test(request_, flag, status) != MPI_SUCCESS) kept_ = 1;
        if (flag == 0 && request_ != MPI_REQUEST_NULL) return false;
        if (kept_ == 0) const Comm freed = std::move(comm_);
        return true;
    }

private:
    bool has_message() const {
        int flag = 0;
        return MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_.get(), &flag, MPI_STATUS_IGNORE) !=
                   MPI_SUCCESS ||
               flag != 0;
    }

    Comm comm_;
    int kept_;
    bool told_ = false;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Those of this process. MPI_COMM_SELF keeps them: what it keeps goes first when MPI ends.
class Partings {
public:
    /// Null when MPI ends. While it ends MPICH's list of attributes cannot be read.
    static Partings* all() {
        static Partings* const one = Attribute<Partings>::of(MPI_COMM_SELF).get();
        return mpi_ends ? nullptr : one;
    }

    void add(Comm comm, bool kept) {
        const std::lock_guard lock(mutex_);
        parted_.emplace_back(std::move(comm), kept);
    }

    void settle() {
        if (!may_wait()) return;
        auto here = taken();
        for (auto& one : here) one.tell();
        std::erase_if(here, [](Parted& one) { return one.settled(); });
        give_back(std::move(here));
    }

    static std::shared_ptr<Partings> on_dup(const std::shared_ptr<Partings>&) { return nullptr; }

    /// MPI goes on reading what has not settled until it has ended.
    void on_free() {
        settle_soon();
        mpi_ends = true;
        static auto* const unsettled = new std::list<Parted>;
        unsettled->splice(unsettled->end(), taken());
    }

private:
    static inline constinit std::atomic<bool> mpi_ends = false;

    /// Where all ranks have parted that takes as long as their messages do, and what is left under
    /// way the network takes for lost (UCX warns of it); where one has not, by a mistake, for ever.
    void settle_soon() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        for (settle(); !empty() && std::chrono::steady_clock::now() < end; settle())
            std::this_thread::yield();
    }

    bool empty() {
        const std::lock_guard lock(mutex_);
        return parted_.empty();
    }

    /// What is done with them may let MPI progress, and so add others.
    std::list<Parted> taken() {
        const std::lock_guard lock(mutex_);
        return std::exchange(parted_, {});
    }

    void give_back(std::list<Parted> parted) {
        const std::lock_guard lock(mutex_);
        parted_.splice(parted_.begin(), parted);
    }

    std::mutex mutex_;
    std::list<Parted> parted_;
};

}  // namespace

/// MPICH may free the communicator that this belongs to where the last that was pending on it ends,
/// within its progress. With several threads nothing may be asked of it there.
void part_from(Comm comm, bool kept) {
    auto* const partings = Partings::all();
    if (partings == nullptr) {
        static_cast<void>(comm.release());
        return;
    }
    partings->add(std::move(comm), kept);
    if (!several_threads()) partings->settle();
}

void free_parted() {
    if (auto* const partings = Partings::all()) partings->settle();
}

}  // namespace carpool::mpi
