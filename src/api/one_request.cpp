#include "api/completion.hpp"
#include "call/latest_plans.hpp"
#include "call/operation_claim.hpp"
#include "engine/mpi_request.hpp"
#include "mpi/attribute.hpp"
#include "mpi/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

using namespace carpool;

namespace {

MPI_Comm comm_of(Carpool_Request request) {
    return request == CARPOOL_REQUEST_NULL ? MPI_COMM_SELF : request->engine_request->comm();
}

MPI_Comm comm_of(const Carpool_Request* request) {
    return request == nullptr ? MPI_COMM_SELF : comm_of(*request);
}

MPI_Comm any_comm(int count, const Carpool_Request* requests) {
    return count > 0 && requests != nullptr ? comm_of(requests[0]) : MPI_COMM_SELF;
}

/// @param name  gives the argument's, which is put together only where it is wrong
template <typename Name>
void check_given(Carpool_Request request, Name name) {
    if (request == CARPOOL_REQUEST_NULL)
        throw mpi::Error(MPI_ERR_REQUEST,
                         name() + " is CARPOOL_REQUEST_NULL, expected a persistent request");
}

template <typename Name>
void check_inactive(Carpool_Request request, Name name) {
    check_given(request, name);
    if (api::is_active(request))
        throw mpi::Error(MPI_ERR_REQUEST, name() + " is active, expected an inactive request");
}

std::string only_name() { return "request"; }

void check_request(const Carpool_Request* request) {
    api::check_address(request);
    check_given(*request, only_name);
}

void check_inactive(const Carpool_Request* request) {
    api::check_address(request);
    check_inactive(*request, only_name);
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
    plan.without_room = summary.shared.without_room;
}

engine::Summary latest_plan(MPI_Comm comm, const std::string& operation) {
    const auto number = call::operation_named(operation);
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

/// Errors are those of the preparation. @pre inactive
int started(Carpool_Request request) {
    return api::reported(request->maker, comm_of(request),
                         [&] { request->engine_request->start(); });
}

bool can_be_started(const Carpool_Request* request) {
    return request != nullptr && *request != CARPOOL_REQUEST_NULL && !api::is_active(*request);
}

}  // namespace

int Carpool_Start(Carpool_Request* request) {
    api::require_mpi(__func__);
    if (can_be_started(request)) return started(*request);
    return api::reported(__func__, comm_of(request), [&] { check_inactive(request); });
}

/// Starts all, even if one of them cannot be started because it was refused in the background:
/// other ranks may not know that yet, and start the rest.
int Carpool_Startall(int count, Carpool_Request requests[]) {
    int code = api::guarded(__func__, any_comm(count, requests), [&] {
        api::check_count(count, requests);
        for (int i = 0; i < count; ++i)
            check_inactive(requests[i], [i] { return mpi::element("requests", i); });
    });
    if (code != MPI_SUCCESS) return code;
    for (int i = 0; i < count; ++i) {
        const int one = started(requests[i]);
        if (one != MPI_SUCCESS) code = one;
    }
    return code;
}

/// True also of one that has ended by an error: a loop of tests must see that.
int Carpool_Test(Carpool_Request* request, int* flag, MPI_Status* status) {
    bool ended = false;
    int code = api::guarded(__func__, comm_of(request),
                            [&] { api::check_not_null("flag", flag, "the address of a flag"); });
    if (code != MPI_SUCCESS) return code;
    code = api::guarded_end(__func__, request, [&] {
        ended = api::test(*request);
        if (ended) api::set_empty(status);
    });
    *flag = ended || code != MPI_SUCCESS ? 1 : 0;
    return code;
}

int Carpool_Wait(Carpool_Request* request, MPI_Status* status) {
    return api::guarded_end(__func__, request, [&] {
        api::wait(*request);
        api::set_empty(status);
    });
}

int Carpool_Request_get_mpi(Carpool_Request request, MPI_Request* mpi_request) {
    return api::guarded(__func__, comm_of(request), [&] {
        check_request(&request);
        if (mpi_request == nullptr)
            throw mpi::Error(MPI_ERR_ARG,
                             "mpi_request is a null pointer, expected the address of a request");
        api::check_own(request);
        if (!api::is_active(request))
            throw mpi::Error(MPI_ERR_REQUEST, "request is inactive, expected a started request");
        engine::MpiRequest::check_supported();
        *mpi_request = request->engine_request->lend(request->maker);
    });
}

int Carpool_Request_free(Carpool_Request* request) {
    return api::guarded(__func__, comm_of(request), [&] {
        check_inactive(request);
        engine::Request::free(std::move((*request)->engine_request));
        delete *request;
        *request = CARPOOL_REQUEST_NULL;
    });
}

int Carpool_Request_get_plan(Carpool_Request request, Carpool_Plan* plan) {
    return api::guarded(__func__, comm_of(request), [&] {
        check_request(&request);
        check_plan(plan);
        write_plan(request->engine_request->summary(), *plan);
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
