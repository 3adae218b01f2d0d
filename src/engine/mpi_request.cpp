// SPDX-License-Identifier: MIT
#include "engine/mpi_request.hpp"

#include "base/expects.hpp"
#include "engine/host_errors.hpp"
#include "engine/host_progress.hpp"
#include "mpi/error.hpp"
#include "mpi/host_symbol.hpp"
#include "mpi/status.hpp"
#include "mpi/use.hpp"

#include <cstdio>
#include <string>
#include <utility>

namespace carpool::engine {
namespace {

// MPICH can poll generalized requests from within the calls that wait for them. That is quicker
// than a notification by its progress, and works in versions whose progress calls no function.
using Poll = int(void*, MPI_Status*);
using Wait = int(int, void**, double, MPI_Status*);
using PolledStart = int(MPI_Grequest_query_function*, MPI_Grequest_free_function*,
                        MPI_Grequest_cancel_function*, Poll*, Wait*, void*, MPI_Request*);

PolledStart* polled_start() {
    static auto* const found = mpi::host_function<PolledStart>("MPIX_Grequest_start");
    return found;
}

MpiRequest& of(void* request) { return *static_cast<MpiRequest*>(request); }

}  // namespace

void MpiRequest::check_supported() {
    if (HostProgress::available() || polled_start() != nullptr) return;
    throw mpi::Error(MPI_ERR_UNSUPPORTED_OPERATION,
                     "an MPI_Request needs an MPI that lets libraries progress, expected MPICH, "
                     "Open MPI, or CARPOOL_PROGRESS=thread in the environment with "
                     "MPI_THREAD_MULTIPLE; a persistent request does without");
}

MpiRequest* MpiRequest::started(const char* maker, MPI_Comm comm,
                                std::weak_ptr<mpi::CommState> state, std::function<void()> freed) {
    std::unique_ptr<MpiRequest, void (*)(MpiRequest*)> request(
        new MpiRequest(maker, comm, std::move(state), std::move(freed)),
        [](MpiRequest* unstarted) { delete unstarted; });
    request->start();
    return request.release();
}

void MpiRequest::start() {
    if (auto* const start = polled_start())
        mpi::check(start(query, free, cancel, poll, wait, this, &handle_), "MPIX_Grequest_start");
    else
        mpi::check(MPI_Grequest_start(query, free, cancel, this, &handle_), "MPI_Grequest_start");
}

/// MPI may free the request in MPI_Grequest_complete.
void MpiRequest::ended(std::exception_ptr failure) {
    failure_ = std::move(failure);
    const auto handle = handle_;
    ended_ = true;
    MPI_Grequest_complete(handle);
}

/// Raises an error on the user's communicator; returns its code.
int MpiRequest::raise(const mpi::Error& error) const {
    const int code = mpi::error_code(error.error_class(), text_of(error));
    const auto state = state_.lock();
    MPI_Comm_call_errhandler(state && state->attached() ? comm_ : mpi::Use::own_comm(), code);
    return code;
}

/// The same, where a call of MPI returns the code. If it would end the program instead, it returns
/// success, and the text goes to stderr, since the error handler may do nothing.
int MpiRequest::refuse(const mpi::Error& error) const {
    const int code = raise(error);
    if (!HostErrors::only_return()) {
        std::fprintf(stderr, "%s\n", text_of(error).c_str());
        return MPI_SUCCESS;
    }
    Activity::go_on_outside();  // which restores them
    return code;
}

std::string MpiRequest::text_of(const mpi::Error& error) const {
    return std::string(maker_) + ": " + error.what();
}

/// Called by MPI when the user learns of the end. Reading ended_ shows this thread what another one
/// did before it, also where MPI orders threads by means that a sanitizer does not see.
int MpiRequest::query(void* request, MPI_Status* status) {
    CARPOOL_EXPECTS(of(request).ended_);
    mpi::set_empty(status);
    if (!of(request).failure_) return MPI_SUCCESS;
    status->MPI_ERROR =
        of(request).refuse(mpi::error_of(std::exchange(of(request).failure_, nullptr)));
    return status->MPI_ERROR;
}

/// Raises the error of a request that was freed before its end: nobody has seen it yet.
int MpiRequest::free(void* request) {
    auto* const self = &of(request);
    CARPOOL_EXPECTS(self->ended_);
    if (self->failure_) self->raise(mpi::error_of(self->failure_));
    self->freed_();
    delete self;
    return MPI_SUCCESS;
}

int MpiRequest::cancel(void* request, int) {
    return of(request).refuse(mpi::Error(
        MPI_ERR_REQUEST, "the request is of a collective call, which cannot be cancelled"));
}

/// One iteration of a wait.
void MpiRequest::look() {
    Activity::progress();
    if (!ended_) spin_.wait();
}

int MpiRequest::poll(void* request, MPI_Status*) {
    of(request).look();
    return MPI_SUCCESS;
}

int MpiRequest::wait(int count, void** requests, double, MPI_Status*) {
    for (int i = 0; i < count; ++i)
        for (auto& request = of(requests[i]); !request.ended_;) request.look();
    Activity::let_step_end();  // the step that ended it may be another thread's
    return MPI_SUCCESS;
}

}  // namespace carpool::engine
