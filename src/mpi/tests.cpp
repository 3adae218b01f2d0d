// SPDX-License-Identifier: MIT
#include "mpi/tests.hpp"

#include "base/mutex.hpp"
#include "mpi/error.hpp"
#include "mpi/host_symbol.hpp"

#include <algorithm>
#include <utility>

namespace carpool::mpi {
namespace {

using IsComplete = int(MPI_Request);

thread_local constinit bool has_progressed = false;

/// MPICH's query that makes no progress.
IsComplete* question_of_mpich() {
    static auto* const found = host_function<IsComplete>("MPIX_Request_is_complete");
    return found;
}

/// The same, if only this query may be used now.
IsComplete* quiet_question() { return ProgressScope::is_open() ? question_of_mpich() : nullptr; }

bool all_complete(IsComplete* is_complete, std::span<MPI_Request> requests) {
    return std::all_of(requests.begin(), requests.end(), [is_complete](MPI_Request request) {
        return request == MPI_REQUEST_NULL || is_complete(request) != 0;
    });
}

int tested_some(std::span<MPI_Request> requests, int* ended) {
    int found = 0;
    has_progressed = true;
    check(MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &found, ended,
                       MPI_STATUSES_IGNORE),
          "MPI_Testsome");
    return std::max(0, found);  // MPI_UNDEFINED is negative
}

/// Tests each request by itself: MPICH makes no progress for a request that it knows to have ended.
int quiet_some(IsComplete* is_complete, std::span<MPI_Request> requests, std::span<int> ended) {
    std::size_t found = 0;
    int index = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (requests[i] == MPI_REQUEST_NULL || is_complete(requests[i]) == 0) continue;
        if (tested_some(requests.subspan(i, 1), &index) > 0) ended[found++] = static_cast<int>(i);
    }
    return static_cast<int>(found);
}

}  // namespace

bool test(MPI_Request* request) { return test_all({request, 1}); }

int test(MPI_Request& request, int& flag, MPI_Status& status) {
    flag = 0;
    if (auto* const is_complete = quiet_question())
        if (!all_complete(is_complete, {&request, 1})) return MPI_SUCCESS;
    has_progressed = true;
    return MPI_Test(&request, &flag, &status);
}

/// For a single request MPI_Test is cheaper than MPI_Testall.
bool test_all(std::span<MPI_Request> requests) {
    if (auto* const is_complete = quiet_question())
        if (!all_complete(is_complete, requests)) return false;
    int flag = 1;
    has_progressed = has_progressed || !requests.empty();
    const auto count = static_cast<int>(requests.size());
    if (count == 1)
        check(MPI_Test(requests.data(), &flag, MPI_STATUS_IGNORE), "MPI_Test");
    else if (count > 1)
        check(MPI_Testall(count, requests.data(), &flag, MPI_STATUSES_IGNORE), "MPI_Testall");
    return flag != 0;
}

int test_some(std::span<MPI_Request> requests, std::span<int> ended) {
    if (auto* const is_complete = quiet_question()) return quiet_some(is_complete, requests, ended);
    return tested_some(requests, ended.data());
}

int test_some(std::span<MPI_Request> requests, std::span<int> ended,
              std::span<MPI_Status> statuses) {
    int found = 0;
    has_progressed = true;
    const int code = MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &found,
                                  ended.data(), statuses.data());
    if (code != MPI_ERR_IN_STATUS) check(code, "MPI_Testsome");
    found = std::max(0, found);  // MPI_UNDEFINED is negative
    if (code == MPI_SUCCESS)
        for (auto& status : statuses.first(static_cast<std::size_t>(found)))
            status.MPI_ERROR = MPI_SUCCESS;
    return found;
}

std::optional<std::size_t> test_any(std::span<MPI_Request> requests) {
    int index = MPI_UNDEFINED;
    if (auto* const is_complete = quiet_question()) {
        for (std::size_t i = 0; i < requests.size(); ++i)
            if (quiet_some(is_complete, requests.subspan(i, 1), {&index, 1}) > 0) return i;
        return std::nullopt;
    }
    int flag = 0;
    check(MPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &flag,
                      MPI_STATUS_IGNORE),
          "MPI_Testany");
    if (flag == 0 || index == MPI_UNDEFINED) return std::nullopt;
    return static_cast<std::size_t>(index);
}

/// MPICH's query comes first: once MPI_Request_get_status has found that a persistent request has
/// ended, MPI_Testsome of MPICH 5.0 does not find the request any more.
bool is_over(MPI_Request request) {
    if (request == MPI_REQUEST_NULL) return true;
    if (auto* const is_complete = question_of_mpich()) return is_complete(request) != 0;
    int flag = 0;
    check(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE), "MPI_Request_get_status");
    return flag != 0;
}

bool host_has_progressed() { return std::exchange(has_progressed, false); }

void let_host_progress(MPI_Comm comm) {
    int flag = 0;
    if (may_probe())
        check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE),
              "MPI_Iprobe");
}

bool may_wait() { return quiet_question() == nullptr; }

bool may_probe() { return quiet_question() == nullptr || base::Mutex::expects_one_thread(); }

}  // namespace carpool::mpi
