#pragma once

#include <carpool/cxx/owned.hpp>

namespace carpool {

/// A nonblocking call under way, an MPI_Request. Waits at its end if nobody has: buffers are free
/// then, and an error goes to the error handler alone.
class [[nodiscard]] Pending {
public:
    Pending() = default;

    void wait() { check(MPI_Wait(request_.address(), MPI_STATUS_IGNORE), "MPI_Wait"); }

    /// True once the exchange has ended.
    bool test() {
        int ended = 0;
        check(MPI_Test(request_.address(), &ended, MPI_STATUS_IGNORE), "MPI_Test");
        return ended != 0;
    }

    /// For MPI_Waitall and the like, which complete it; then it is the caller's.
    MPI_Request release() { return request_.release(); }

    MPI_Request* address() { return request_.address(); }

private:
    detail::Owned<detail::PendingKind> request_;
};

/// A persistent request: an exchange that is planned once and started often. It reads and writes
/// the buffers that its init was given, which must stay where they are. At its end it waits for a
/// start that nobody has waited for, and frees the plan.
class [[nodiscard]] Request {
public:
    Request() = default;

    void start() { check(Carpool_Start(request_.address()), "Carpool_Start"); }
    void wait() { check(Carpool_Wait(request_.address(), MPI_STATUS_IGNORE), "Carpool_Wait"); }

    /// Starts, and waits.
    void run() {
        start();
        wait();
    }

    /// True once what was started has ended.
    bool test() {
        int ended = 0;
        check(Carpool_Test(request_.address(), &ended, MPI_STATUS_IGNORE), "Carpool_Test");
        return ended != 0;
    }

    /// An MPI_Request for what was started. This request must live until that has been waited for.
    Pending pending() {
        Pending pending;
        check(Carpool_Request_get_mpi(request_.get(), pending.address()),
              "Carpool_Request_get_mpi");
        return pending;
    }

    Carpool_Plan plan() const {
        Carpool_Plan plan{};
        check(Carpool_Request_get_plan(request_.get(), &plan), "Carpool_Request_get_plan");
        return plan;
    }

    Carpool_Request get() const { return request_.get(); }
    Carpool_Request release() { return request_.release(); }
    Carpool_Request* address() { return request_.address(); }

private:
    detail::Owned<detail::RequestKind> request_;
};

}  // namespace carpool
