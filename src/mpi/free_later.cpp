#include "mpi/free_later.hpp"

#include "mpi/attribute.hpp"
#include "mpi/library.hpp"
#include "mpi/tests.hpp"

#include <atomic>
#include <memory>
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

/// The communicators of this process that wait to be freed. They are cached on MPI_COMM_SELF, whose
/// attributes are deleted first when MPI ends.
class Unused {
public:
    static const std::shared_ptr<Unused>& all() {
        static const auto one = Attribute<Unused>::of(MPI_COMM_SELF);
        return one;
    }

    void add(Comm comm) {
        const std::lock_guard lock(mutex_);
        if (mpi_ends_)
            static_cast<void>(comm.release());
        else
            comms_.push_back(std::move(comm));
    }

    void free() {
        std::unique_lock lock(mutex_);
        auto comms = std::exchange(comms_, {});
        lock.unlock();
        for (auto& comm : comms)
            if (has_message(comm.get())) static_cast<void>(comm.release());
    }

    void on_free() {
        free();
        mpi_ends_ = true;
    }

private:
    std::atomic<bool> mpi_ends_ = false;
    std::mutex mutex_;
    std::vector<Comm> comms_;
};

}  // namespace

/// With several threads nothing is freed here: the host MPI may hold a lock for which another
/// thread waits.
void free_later(Comm comm) {
    Unused::all()->add(std::move(comm));
    if (!several_threads()) free_what_waits();
}

void free_what_waits() {
    if (may_wait()) Unused::all()->free();
}

}  // namespace carpool::mpi
