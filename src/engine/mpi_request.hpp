// SPDX-License-Identifier: MIT
#pragma once

#include "engine/activity.hpp"
#include "engine/spin_then_yield.hpp"
#include "mpi/comm/comm_state.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace carpool::engine {

/// A generalized request that stands for an exchange under way. MPI owns it, and calls back when
/// the user no longer needs it.
class MpiRequest final : public Activity::Listener {
public:
    /// Throws MPI_ERR_UNSUPPORTED_OPERATION if nothing on this system would ever complete one.
    static void check_supported();

    /// @param maker  the function that errors name
    /// @param comm   the communicator on which an error is raised, if it still lives then
    /// @param freed  called when MPI and the user no longer need the request
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
    std::string text_of(const mpi::Error& error) const;
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
