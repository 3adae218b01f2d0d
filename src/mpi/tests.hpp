#pragma once

#include <mpi.h>

#include <optional>
#include <span>

namespace carpool::mpi {

/// Is this thread in a function that the host calls from within its own progress? MPICH must not be
/// progressed again from there: that costs, and with several threads it aborts. So what follows
/// then asks only whether requests have ended, where MPICH can tell that alone.
class WithinProgress {
public:
    WithinProgress() { ++depth_; }
    WithinProgress(const WithinProgress&) = delete;
    WithinProgress& operator=(const WithinProgress&) = delete;
    ~WithinProgress() { --depth_; }

    static bool now() { return depth_ > 0; }

private:
    static inline thread_local constinit int depth_ = 0;
};

/// MPI_Test.
bool test(MPI_Request* request);

/// MPI_Test, which says by its code what is wrong with the request.
int test(MPI_Request& request, int& flag, MPI_Status& status);

/// MPI_Testall; of no request too.
bool test_all(std::span<MPI_Request> requests);

/// MPI_Testsome: how many have ended, and which.
/// @pre ended has room for all
int test_some(std::span<MPI_Request> requests, std::span<int> ended);

/// The same, with what is wrong with each in MPI_ERROR of its status. Not on MPICH, which raises
/// that on a communicator of the user's.
int test_some(std::span<MPI_Request> requests, std::span<int> ended,
              std::span<MPI_Status> statuses);

/// MPI_Testany: one that has ended.
std::optional<std::size_t> test_any(std::span<MPI_Request> requests);

/// Is it null or inactive, or has it ended? A test still finds that out.
bool is_over(MPI_Request request);

/// Has this thread let MPI progress since it was asked the last time?
bool host_had_its_turn();

/// Lets MPI progress, unless that must not be now.
void give_host_its_turn(MPI_Comm comm);

/// Does a wait for a message progress MPI, so that it may come?
bool may_wait();

/// May messages be probed for? Probing progresses MPI.
bool may_probe();

}  // namespace carpool::mpi
