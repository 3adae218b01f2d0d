// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/owned.hpp>

namespace carpool {

/// A nonblocking call under way: an MPI_Request. The destructor waits for it if the program has
/// not, so that the buffers are free afterwards; an error is then reported to the error handler
/// alone.
class [[nodiscard]] Pending {
public:
    Pending() = default;

    /// Waits until the exchange has ended.
    void wait() { check(MPI_Wait(request_.address(), MPI_STATUS_IGNORE), "MPI_Wait"); }

    /// True once the exchange has ended.
    bool test() {
        int ended = 0;
        check(MPI_Test(request_.address(), &ended, MPI_STATUS_IGNORE), "MPI_Test");
        return ended != 0;
    }

    /// Hands the MPI_Request to the caller, who completes it by MPI_Waitall or the like.
    MPI_Request release() { return request_.release(); }

    /// The address of the MPI_Request, for functions that set or complete it.
    MPI_Request* address() { return request_.address(); }

private:
    detail::Owned<detail::PendingKind> request_;
};

/// A persistent request: an exchange that is planned once and started any number of times. It reads
/// and writes the buffers that its init was given, which must stay where they are. The destructor
/// waits for a start that the program has not waited for, and frees the request.
class [[nodiscard]] Request {
public:
    Request() = default;

    /// Starts the exchange. @pre the request is inactive
    void start() { check(Carpool_Start(request_.address()), "Carpool_Start"); }
    /// Waits until the exchange has ended.
    void wait() { check(Carpool_Wait(request_.address(), MPI_STATUS_IGNORE), "Carpool_Wait"); }

    /// Starts the exchange and waits for it.
    void run() {
        start();
        wait();
    }

    /// True once the exchange has ended, or if none has been started.
    bool test() {
        int ended = 0;
        check(Carpool_Test(request_.address(), &ended, MPI_STATUS_IGNORE), "Carpool_Test");
        return ended != 0;
    }

    /// An MPI_Request for the exchange that has been started. This request must live until the
    /// MPI_Request has completed.
    Pending pending() {
        Pending pending;
        check(Carpool_Request_get_mpi(request_.get(), pending.address()),
              "Carpool_Request_get_mpi");
        return pending;
    }

    /// The plan of the request, by Carpool_Request_get_plan.
    Carpool_Plan plan() const {
        Carpool_Plan plan{};
        check(Carpool_Request_get_plan(request_.get(), &plan), "Carpool_Request_get_plan");
        return plan;
    }

    /// Sets the stream for buffers in memory of a GPU, by Carpool_Request_set_stream.
    void set_stream(void* stream) {
        check(Carpool_Request_set_stream(request_.get(), stream), "Carpool_Request_set_stream");
    }

    Carpool_Request get() const { return request_.get(); }
    /// Hands the request to the caller, who frees it.
    Carpool_Request release() { return request_.release(); }
    /// The address of the request, for functions that set or complete it.
    Carpool_Request* address() { return request_.address(); }

private:
    detail::Owned<detail::RequestKind> request_;
};

}  // namespace carpool
