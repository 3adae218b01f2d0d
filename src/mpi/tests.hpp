// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <optional>
#include <span>

namespace carpool::mpi {

/// Marks that this thread is in a function that the host MPI calls from within its own progress.
/// MPICH must not make progress again from there: that is slow, and with several threads it aborts.
/// So the functions below then only query whether requests have ended, if MPICH has such a query.
class ProgressScope {
public:
    ProgressScope() { ++depth_; }
    ProgressScope(const ProgressScope&) = delete;
    ProgressScope& operator=(const ProgressScope&) = delete;
    ~ProgressScope() { --depth_; }

    static bool is_open() { return depth_ > 0; }

private:
    static inline thread_local constinit int depth_ = 0;
};

/// MPI_Test.
bool test(MPI_Request* request);

/// MPI_Test; returns its error code, which says what is wrong with the request.
int test(MPI_Request& request, int& flag, MPI_Status& status);

/// MPI_Testall; true if there is no request.
bool test_all(std::span<MPI_Request> requests);

/// MPI_Testsome: returns how many requests have ended, and puts their indices into ended.
/// @pre ended has room for all
int test_some(std::span<MPI_Request> requests, std::span<int> ended);

/// The same, with the error of each request in MPI_ERROR of its status. Not for MPICH, which raises
/// such an error on the user's communicator.
int test_some(std::span<MPI_Request> requests, std::span<int> ended,
              std::span<MPI_Status> statuses);

/// MPI_Testany: the index of a request that has ended.
std::optional<std::size_t> test_any(std::span<MPI_Request> requests);

/// Is the request null or inactive, or has it ended? A later test still completes it.
bool is_over(MPI_Request request);

/// Has this thread let MPI make progress since the last call of this function?
bool host_has_progressed();

/// Lets MPI make progress, unless that is not allowed now.
void let_host_progress(MPI_Comm comm);

/// Does waiting for a message make MPI progress, so that the message can arrive?
bool may_wait();

/// May messages be probed for? Probing makes MPI progress.
bool may_probe();

}  // namespace carpool::mpi
