#pragma once

#include "engine/activity.hpp"
#include "engine/spin_then_yield.hpp"
#include "mpi/comm_state.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace carpool::engine {

/// A generalized request: what MPI has of an exchange that is under way. It belongs to MPI, which
/// says when the user needs it no more.
class MpiRequest final : public Activity::Listener {
public:
    /// Throws MPI_ERR_UNSUPPORTED_OPERATION if nothing here would ever complete one.
    static void check_supported();

    /// @param maker  the function whose arguments errors are about
    /// @param comm   on which an error is raised, if it lives then
    /// @param freed  called when MPI and the user need the request no more
    static MpiRequest* started(
        const char* maker, MPI_Comm comm, std::weak_ptr<mpi::CommState> state,
        std::function<void()> freed = [] {});

    MPI_Request handle() const { return handle_; }

    void ended(std::exception_ptr failure) override;

private:
    MpiRequest(const char* maker, MPI_Comm comm, std::weak_ptr<mpi::CommState> state,
               std::function<void()> freed)
        : maker_(maker), comm_(comm), state_(std::move(state)), freed_(std::move(freed)) {}
    ~MpiRequest() = default;

    void start();
    int raise(const mpi::Error& error) const;
    int refuse(const mpi::Error& error) const;
    void look();

    static int query(void* request, MPI_Status* status);
    static int free(void* request);
    static int cancel(void* request, int complete);
    static int poll(void* request, MPI_Status* status);
    static int wait(int count, void** requests, double timeout, MPI_Status* status);

    const char* maker_;
    MPI_Comm comm_;
    std::weak_ptr<mpi::CommState> state_;
    std::function<void()> freed_;
    MPI_Request handle_ = MPI_REQUEST_NULL;
    std::exception_ptr failure_;
    std::atomic<bool> ended_ = false;
    SpinThenYield spin_;
};

}  // namespace carpool::engine
