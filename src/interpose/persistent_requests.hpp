// SPDX-License-Identifier: MIT
#pragma once

#include "engine/request.hpp"
#include "mpi/use.hpp"

#include <mpi.h>

#include <atomic>
#include <memory>
#include <utility>

namespace carpool::interpose {

/// A persistent request of Carpool's. The user holds the handle of the host's request, which is
/// never started.
class PersistentRequest {
public:
    PersistentRequest(std::unique_ptr<engine::Request> request, const char* maker)
        : request_(std::move(request)), maker_(maker) {}

    /// Starts it. Returns an error code, as all functions here.
    int start();

    int wait(MPI_Status* status);
    int test(int* flag, MPI_Status* status);

    /// Like test(), but it stays active.
    int get_status(int* flag, MPI_Status* status);

    /// An MPI_Request for the current start, to be waited for among others; MPI_REQUEST_NULL if it
    /// is inactive.
    MPI_Request for_mpi();

    /// Must be called when MPI has completed the request that for_mpi() has returned.
    void complete() { lent_ = MPI_REQUEST_NULL; }

    bool active() const { return request_->active(); }

    /// Has it been made in this use of MPI?
    bool is_current() const { return use_ == mpi::Use::number(); }

    /// Leaves a start that is under way to MPI.
    void leave_to_mpi();

private:
    template <typename Body>
    int reported(Body body);

    std::unique_ptr<engine::Request> request_;
    const char* maker_;
    int use_ = mpi::Use::number();
    MPI_Request lent_ = MPI_REQUEST_NULL;  // while MPI waits for a start
};

/// The persistent requests of this process that stand behind handles of the host's. Any thread may
/// look one up, without a lock.
///
/// A handle that is made here and freed past this library (by a tool) must not be used again.
class PersistentRequests {
public:
    /// Whether the functions of MPI that start and complete requests are those of this library for
    /// the whole program: else no persistent request is taken.
    static bool all_calls_arrive();

    static void put_behind(MPI_Request handle, std::unique_ptr<engine::Request> request,
                           const char* maker);

    /// The request behind a handle; null for a request that is the host's alone. After MPI_Finalize
    /// that is each request made before it, since a session may go on.
    static PersistentRequest* find(MPI_Request handle) {
        if (alive_.load(std::memory_order_relaxed) == 0) return nullptr;
        return mpi::Use::runs() ? look_up(handle) : nullptr;
    }

    /// Removes the one behind a handle, which is about to be freed, if there is one.
    static void remove(MPI_Request handle);

private:
    static PersistentRequest* look_up(MPI_Request handle);

    static inline std::atomic<int> alive_ = 0;
};

}  // namespace carpool::interpose
