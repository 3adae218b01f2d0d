// SPDX-License-Identifier: MIT
#include "api/completion.hpp"
#include "arguments/operation_claim.hpp"
#include "call/latest_plans.hpp"
#include "engine/mpi_request.hpp"
#include "mpi/attribute.hpp"
#include "mpi/error.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

using namespace carpool;

namespace {

using api::comm_of;
using api::MadeRequest;

/// The request; null also if the address is null.
MadeRequest* find(const Carpool_Request* request) {
    return request == nullptr ? nullptr : api::find(*request);
}

MPI_Comm any_comm(int count, const Carpool_Request* requests) {
    return count > 0 ? comm_of(find(requests)) : MPI_COMM_NULL;
}

/// @param name  returns the name of the argument; called only on an error
template <typename Name>
MadeRequest& checked(Carpool_Request request, Name name) {
    MadeRequest* const made = api::find(request);
    if (made == nullptr) api::refuse(request, name());
    return *made;
}

template <typename Name>
MadeRequest& checked_inactive(Carpool_Request request, Name name) {
    MadeRequest& made = checked(request, name);
    if (made.engine_request->active())
        throw mpi::Error(MPI_ERR_REQUEST, name() + " is active, expected an inactive request");
    return made;
}

std::string only_name() { return "request"; }

MadeRequest& checked_inactive(const Carpool_Request* request) {
    api::check_address(request);
    return checked_inactive(*request, only_name);
}

/// Like api::guarded_end(), for the argument `request`.
template <typename Step>
int guarded_end(const char* function, const Carpool_Request* request, Step step) {
    if (request == nullptr)
        return api::guarded(function, MPI_COMM_NULL, [&] { api::check_address(request); });
    return api::guarded_end(function, *request, only_name, step);
}

void check_plan(const Carpool_Plan* plan) {
    api::check_not_null("plan", plan, "the address of a plan");
}

void write_plan(const engine::Summary& summary, Carpool_Plan& plan) {
    const auto end = summary.algorithm.copy(plan.algorithm, sizeof plan.algorithm - 1);
    plan.algorithm[end] = '\0';
    plan.phases = summary.phases;
    plan.rounds = summary.rounds;
    plan.messages = summary.messages;
    plan.volume = summary.volume;
    plan.bytes = summary.bytes;
    plan.shared_bytes = summary.shared.bytes;
    plan.without_memory = summary.shared.without_memory;
}

engine::Summary latest_plan(MPI_Comm comm, const std::string& operation) {
    const auto number = arguments::operation_named(operation);
    if (!number)
        throw mpi::Error(MPI_ERR_ARG, "operation is '" + operation +
                                          "', expected the name of a collective function, such as "
                                          "allreduce or neighbor_alltoallv");
    auto* const plans = mpi::Attribute<call::LatestPlans>::peek(comm);
    const auto found = plans != nullptr ? plans->find(*number) : std::nullopt;
    if (!found)
        throw mpi::Error(MPI_ERR_ARG, "operation is '" + operation +
                                          "', which has not been called on comm yet, expected one "
                                          "that has, blocking or nonblocking");
    return *found;
}

/// The stream as the driver is given it; null for the legacy default stream, by either of its
/// handles. The default stream of each thread is no one's to other threads, which make progress.
device::Stream checked_stream(void* stream) {
    constexpr std::uintptr_t legacy = 1;
    constexpr std::uintptr_t of_each_thread = 2;
    const auto handle = reinterpret_cast<std::uintptr_t>(stream);
    if (handle == of_each_thread)
        throw mpi::Error(MPI_ERR_ARG,
                         "stream is the default stream of each thread, expected one that all "
                         "threads can use");
    return handle == legacy ? nullptr : stream;
}

/// Starts an inactive request. Errors of its preparation are reported for the function that made
/// it, because they concern its arguments.
template <typename Name>
int started(const char* function, Carpool_Request request, Name name) {
    MadeRequest* const made = api::find(request);
    const auto comm = [made] { return comm_of(made); };
    if (made != nullptr && !made->engine_request->active())
        return api::reported_on(made->maker, comm, [made] { made->engine_request->start(); });
    return api::reported_on(function, comm, [&] { checked_inactive(request, name); });
}

}  // namespace

int Carpool_Start(Carpool_Request* request) {
    api::require_mpi(__func__, [request] { return comm_of(find(request)); });
    if (request != nullptr) return started(__func__, *request, only_name);
    return api::reported(__func__, MPI_COMM_NULL, [&] { api::check_address(request); });
}

/// Starts all requests, even if one cannot be started: if it was refused in the background, other
/// ranks may not know that yet, and start the rest. The same holds for a request that is in the
/// array twice.
int Carpool_Startall(int count, Carpool_Request requests[]) {
    const char* const function = __func__;
    int code = api::guarded(function, any_comm(count, requests), [&] {
        api::check_count(count, requests);
        for (int i = 0; i < count; ++i)
            checked_inactive(requests[i], [i] { return mpi::element("requests", i); });
    });
    if (code != MPI_SUCCESS) return code;
    for (int i = 0; i < count; ++i) {
        const int one = started(function, requests[i], [i] { return mpi::element("requests", i); });
        if (one != MPI_SUCCESS) code = one;
    }
    return code;
}

/// Sets the flag also if the request has ended with an error, because a loop of tests must see
/// that.
int Carpool_Test(Carpool_Request* request, int* flag, MPI_Status* status) {
    bool ended = false;
    int code = api::guarded(__func__, comm_of(find(request)),
                            [&] { api::check_not_null("flag", flag, "the address of a flag"); });
    if (code != MPI_SUCCESS) return code;
    code = guarded_end(__func__, request, [&](MadeRequest* made) {
        ended = api::test(made);
        if (ended) api::set_empty(status);
    });
    *flag = ended || code != MPI_SUCCESS ? 1 : 0;
    return code;
}

int Carpool_Wait(Carpool_Request* request, MPI_Status* status) {
    return guarded_end(__func__, request, [&](MadeRequest* made) {
        api::wait(made);
        api::set_empty(status);
    });
}

int Carpool_Request_get_mpi(Carpool_Request request, MPI_Request* mpi_request) {
    return api::guarded(__func__, comm_of(api::find(request)), [&] {
        const auto& made = checked(request, only_name);
        if (mpi_request == nullptr)
            throw mpi::Error(MPI_ERR_ARG,
                             "mpi_request is a null pointer, expected the address of a request");
        api::check_own(made);
        if (!made.engine_request->active())
            throw mpi::Error(MPI_ERR_REQUEST, "request is inactive, expected a started request");
        engine::MpiRequest::check_supported();
        *mpi_request = made.engine_request->lend(made.maker);
    });
}

int Carpool_Request_free(Carpool_Request* request) {
    return api::guarded(__func__, comm_of(find(request)), [&] {
        checked_inactive(request);
        auto made = api::made_requests.take(api::number_of(*request));
        *request = CARPOOL_REQUEST_NULL;
        engine::Request::free(std::move(made.engine_request));
    });
}

int Carpool_Request_get_plan(Carpool_Request request, Carpool_Plan* plan) {
    return api::guarded(__func__, comm_of(api::find(request)), [&] {
        const auto& made = checked(request, only_name);
        check_plan(plan);
        write_plan(made.engine_request->summary(), *plan);
    });
}

int Carpool_Request_set_stream(Carpool_Request request, void* stream) {
    return api::guarded(__func__, comm_of(api::find(request)), [&] {
        auto& made = checked_inactive(request, only_name);
        made.engine_request->set_stream(checked_stream(stream));
    });
}

int Carpool_Comm_set_stream(MPI_Comm comm, void* stream) {
    return api::guarded(__func__, comm, [&] {
        api::check_comm(comm, "comm");
        mpi::CommState::unopened(comm)->set_stream(checked_stream(stream));
    });
}

int Carpool_Comm_get_plan(MPI_Comm comm, const char* operation, Carpool_Plan* plan) {
    return api::guarded(__func__, comm, [&] {
        api::check_comm(comm, "comm");
        api::check_not_null("operation", operation, "the name of a collective");
        check_plan(plan);
        write_plan(latest_plan(comm, operation), *plan);
    });
}
