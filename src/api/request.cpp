#include "api/request.hpp"

#include "api/guarded.hpp"
#include "engine/patience.hpp"

#include <algorithm>
#include <string>
#include <utility>

using namespace carpool;

namespace carpool::api {

Carpool_Request wrapped(std::unique_ptr<engine::Request> exchange) {
    return new Carpool_Request_s{std::move(exchange)};
}

}  // namespace carpool::api

namespace {

constexpr auto null = CARPOOL_REQUEST_NULL;

MPI_Comm comm_of(Carpool_Request request) {
    return request == null ? MPI_COMM_SELF : request->exchange->comm();
}

/// The empty status of MPI: what completing, null and inactive requests give alike.
void set_empty(MPI_Status* status) {
    if (status == MPI_STATUS_IGNORE) return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = MPI_SUCCESS;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
}

void set_empty(int count, MPI_Status* statuses) {
    if (statuses == MPI_STATUSES_IGNORE) return;
    for (int i = 0; i < count; ++i) set_empty(statuses + i);
}

bool is_active(Carpool_Request request) { return request != null && request->exchange->active(); }

/// Null or inactive persistent: the calls that look for any request pass over it.
bool is_idle(Carpool_Request request) {
    return request == null || (request->exchange->is_persistent() && !is_active(request));
}

/// A nonblocking request ends with its exchange, a persistent one stays.
void retire(Carpool_Request* request) {
    if (*request == null || (*request)->exchange->is_persistent()) return;
    delete *request;
    *request = null;
}

bool test(Carpool_Request request) { return request == null || request->exchange->test(); }

void wait(Carpool_Request request) {
    if (request != null) request->exchange->wait();
}

void check_count(int count, const void* requests) {
    if (count < 0)
        throw mpi::Error(MPI_ERR_COUNT,
                         "count is " + std::to_string(count) + ", expected at least 0");
    if (count > 0 && requests == nullptr)
        throw mpi::Error(MPI_ERR_ARG, "requests is a null pointer, expected an array");
}

void check_request(const Carpool_Request* request) {
    if (request == nullptr || *request == null)
        throw mpi::Error(MPI_ERR_REQUEST,
                         "request is CARPOOL_REQUEST_NULL, expected a persistent request");
}

void check_startable(const Carpool_Request* request) {
    check_request(request);
    if (!(*request)->exchange->is_persistent())
        throw mpi::Error(MPI_ERR_REQUEST, "request is nonblocking, expected a persistent request");
    if (is_active(*request))
        throw mpi::Error(MPI_ERR_REQUEST, "request is active, expected an inactive request");
}

/// Who has a request has MPI running, and need not ask.
template <typename Body>
int boundary(Carpool_Request request, Body body) {
    return request != null ? api::reported(request->exchange->comm(), body)
                           : api::guarded(MPI_COMM_SELF, body);
}

MPI_Comm any_comm(int count, const Carpool_Request* requests) {
    return count > 0 && requests != nullptr ? comm_of(requests[0]) : MPI_COMM_SELF;
}

/// Runs one step for one request; the request is retired also when the step fails.
template <typename Step>
int guarded_end(Carpool_Request* request, Step step) {
    const int code = boundary(*request, step);
    if (!is_active(*request)) retire(request);
    return code;
}

/// One that has ended, or MPI_UNDEFINED: all idle, or none has yet.
int find_ended(int count, Carpool_Request* requests, bool& idle, int& code) {
    idle = true;
    for (int i = 0; i < count; ++i) {
        if (is_idle(requests[i])) continue;
        idle = false;
        bool ended = false;
        code = guarded_end(&requests[i], [&] { ended = test(requests[i]); });
        if (ended || code != MPI_SUCCESS) return i;
    }
    return MPI_UNDEFINED;
}

/// All that have ended, in their order: how many, or MPI_UNDEFINED if all are idle.
int find_some(int count, Carpool_Request* requests, int* indices, int& code) {
    int found = 0;
    bool idle = true;
    for (int i = 0; i < count; ++i) {
        if (is_idle(requests[i])) continue;
        idle = false;
        bool ended = false;
        const int result = guarded_end(&requests[i], [&] { ended = test(requests[i]); });
        if (result != MPI_SUCCESS) code = result;
        if (ended || result != MPI_SUCCESS) indices[found++] = i;
    }
    return idle ? MPI_UNDEFINED : found;
}

}  // namespace

int Carpool_Start(Carpool_Request* request) {
    return boundary(request != nullptr ? *request : null, [&] {
        check_startable(request);
        (*request)->exchange->start();
    });
}

/// All are started, also if one that has been refused in the background cannot be: other ranks may
/// not know yet, and start them.
int Carpool_Startall(int count, Carpool_Request requests[]) {
    int code = api::guarded(any_comm(count, requests), [&] {
        check_count(count, requests);
        std::for_each(requests, requests + count, [](auto& r) { check_startable(&r); });
    });
    if (code != MPI_SUCCESS) return code;
    for (int i = 0; i < count; ++i) {
        const int started = boundary(requests[i], [&] { requests[i]->exchange->start(); });
        if (started != MPI_SUCCESS) code = started;
    }
    return code;
}

int Carpool_Test(Carpool_Request* request, int* flag, MPI_Status* status) {
    *flag = 0;
    const int code = guarded_end(request, [&] { *flag = test(*request) ? 1 : 0; });
    if (*flag != 0) set_empty(status);
    return code;
}

int Carpool_Wait(Carpool_Request* request, MPI_Status* status) {
    const int code = guarded_end(request, [&] { wait(*request); });
    set_empty(status);
    return code;
}

int Carpool_Testall(int count, Carpool_Request requests[], int* flag, MPI_Status* statuses) {
    *flag = 0;
    int code = api::guarded(MPI_COMM_SELF, [&] { check_count(count, requests); });
    if (code != MPI_SUCCESS) return code;
    // MPI changes no request unless all have ended
    const auto over = [](auto& request) { return request == null || request->exchange->over(); };
    if (!std::all_of(requests, requests + count, over)) return code;
    for (int i = 0; i < count; ++i) {
        const int ended = guarded_end(&requests[i], [&] { test(requests[i]); });
        if (ended != MPI_SUCCESS) code = ended;
    }
    set_empty(count, statuses);
    *flag = 1;
    return code;
}

int Carpool_Waitall(int count, Carpool_Request requests[], MPI_Status* statuses) {
    int code = api::guarded(MPI_COMM_SELF, [&] { check_count(count, requests); });
    if (code != MPI_SUCCESS) return code;
    for (int i = 0; i < count; ++i) {
        const int ended = guarded_end(&requests[i], [&] { wait(requests[i]); });
        if (ended != MPI_SUCCESS) code = ended;
    }
    set_empty(count, statuses);
    return code;
}

int Carpool_Testany(int count, Carpool_Request requests[], int* index, int* flag,
                    MPI_Status* status) {
    int code = api::guarded(MPI_COMM_SELF, [&] { check_count(count, requests); });
    if (code != MPI_SUCCESS) return code;
    bool idle = true;
    *index = find_ended(count, requests, idle, code);
    *flag = *index != MPI_UNDEFINED || idle ? 1 : 0;
    if (*flag != 0) set_empty(status);
    return code;
}

int Carpool_Waitany(int count, Carpool_Request requests[], int* index, MPI_Status* status) {
    int code = api::guarded(MPI_COMM_SELF, [&] { check_count(count, requests); });
    if (code != MPI_SUCCESS) return code;
    bool idle = false;
    for (engine::Patience patience;; patience.wait()) {
        *index = find_ended(count, requests, idle, code);
        if (*index != MPI_UNDEFINED || idle) break;
    }
    set_empty(status);
    return code;
}

int Carpool_Testsome(int incount, Carpool_Request requests[], int* outcount, int indices[],
                     MPI_Status* statuses) {
    int code = api::guarded(MPI_COMM_SELF, [&] { check_count(incount, requests); });
    if (code != MPI_SUCCESS) return code;
    *outcount = find_some(incount, requests, indices, code);
    if (*outcount != MPI_UNDEFINED) set_empty(*outcount, statuses);
    return code;
}

int Carpool_Waitsome(int incount, Carpool_Request requests[], int* outcount, int indices[],
                     MPI_Status* statuses) {
    int code = api::guarded(MPI_COMM_SELF, [&] { check_count(incount, requests); });
    if (code != MPI_SUCCESS) return code;
    for (engine::Patience patience;; patience.wait()) {
        *outcount = find_some(incount, requests, indices, code);
        if (*outcount != 0) break;
    }
    if (*outcount != MPI_UNDEFINED) set_empty(*outcount, statuses);
    return code;
}

int Carpool_Request_free(Carpool_Request* request) {
    return api::guarded(request != nullptr ? comm_of(*request) : MPI_COMM_SELF, [&] {
        check_request(request);
        if (is_active(*request))
            throw mpi::Error(MPI_ERR_REQUEST, "request is active, expected an inactive request");
        engine::Request::free(std::move((*request)->exchange));
        delete *request;
        *request = null;
    });
}

int Carpool_Request_get_plan(Carpool_Request request, Carpool_Plan* plan) {
    return api::guarded(comm_of(request), [&] {
        check_request(&request);
        const auto summary = request->exchange->summary();
        const auto end = summary.algorithm.copy(plan->algorithm, sizeof plan->algorithm - 1);
        plan->algorithm[end] = '\0';
        plan->phases = summary.phases;
        plan->rounds = summary.rounds;
        plan->messages = summary.messages;
        plan->volume = summary.volume;
        plan->bytes = summary.bytes;
    });
}
