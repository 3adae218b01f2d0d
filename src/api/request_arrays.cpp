// SPDX-License-Identifier: MIT
#include "api/completion.hpp"
#include "engine/spin_then_yield.hpp"

#include <initializer_list>
#include <utility>

using namespace carpool;
using api::MadeRequest;

namespace {

/// True if a request is null or inactive, so that Testany, Waitany, Testsome and Waitsome skip it.
bool is_idle(Carpool_Request request) {
    if (request == CARPOOL_REQUEST_NULL) return true;
    const auto* const made = api::find(request);
    return made != nullptr && !made->engine_request->active();
}

/// Like api::guarded_end(), for an element of the argument `requests`.
template <typename Step>
int guarded_end(const char* function, const Carpool_Request* requests, int i, Step step) {
    return api::guarded_end(
        function, requests[i], [i] { return mpi::element("requests", i); }, step);
}

/// True if the request has ended or is null. Throws an error if it may not be tested.
bool is_over(const Carpool_Request* requests, int i) {
    if (requests[i] == CARPOOL_REQUEST_NULL) return true;
    const auto* const made = api::find(requests[i]);
    if (made == nullptr) api::refuse(requests[i], mpi::element("requests", i));
    api::check_own(*made);
    return made->engine_request->over();
}

/// The statuses of requests that have ended. Like MPI, they show which requests have failed.
class Statuses {
public:
    explicit Statuses(MPI_Status* statuses) : next_(statuses) {}

    void add(int code) {
        if (code != MPI_SUCCESS) answer_ = MPI_ERR_IN_STATUS;
        if (next_ == MPI_STATUSES_IGNORE) return;
        api::set_empty(next_);
        next_++->MPI_ERROR = code;
    }

    int answer() const { return answer_; }

private:
    MPI_Status* next_;
    int answer_ = MPI_SUCCESS;
};

/// The addresses of the results of a function, with the names of these arguments.
using Answers = std::initializer_list<std::pair<const char*, const void*>>;

/// Checks the arguments, then returns what the body returns.
template <typename Body>
int of_several(const char* function, int count, const Carpool_Request* requests, Answers answers,
               Body body) {
    int answer = MPI_SUCCESS;
    const int code = api::guarded(function, MPI_COMM_NULL, [&] {
        api::check_count(count, requests);
        for (const auto& [name, address] : answers)
            api::check_not_null(name, address, "the address of an int");
        answer = body();
    });
    return code != MPI_SUCCESS ? code : answer;
}

/// True if a request has ended. If it has failed, code is its error.
bool has_ended(const char* function, const Carpool_Request* requests, int i, int& code) {
    bool ended = false;
    code = guarded_end(function, requests, i, [&](MadeRequest* made) { ended = api::test(made); });
    return ended || code != MPI_SUCCESS;
}

/// The index of a request that has ended. MPI_UNDEFINED if none has, or if all are idle.
int find_ended(const char* function, int count, Carpool_Request* requests, bool& idle, int& code) {
    idle = true;
    for (int i = 0; i < count; ++i) {
        if (is_idle(requests[i])) continue;
        idle = false;
        if (has_ended(function, requests, i, code)) return i;
    }
    return MPI_UNDEFINED;
}

/// Finds all requests that have ended, in their order. Returns how many, or MPI_UNDEFINED if all
/// are idle.
int find_some(const char* function, int count, Carpool_Request* requests, int* indices,
              Statuses& statuses) {
    int found = 0;
    bool idle = true;
    for (int i = 0; i < count; ++i) {
        if (is_idle(requests[i])) continue;
        idle = false;
        int code = MPI_SUCCESS;
        if (!has_ended(function, requests, i, code)) continue;
        indices[found++] = i;
        statuses.add(code);
    }
    return idle ? MPI_UNDEFINED : found;
}

}  // namespace

int Carpool_Testall(int count, Carpool_Request requests[], int* flag, MPI_Status* statuses) {
    const char* const function = __func__;
    return of_several(function, count, requests, {{"flag", flag}}, [&] {
        *flag = 0;
        // MPI changes no request unless all have ended
        Statuses all(statuses);
        for (int i = 0; i < count; ++i)
            if (!is_over(requests, i)) return all.answer();
        for (int i = 0; i < count; ++i) all.add(guarded_end(function, requests, i, api::test));
        *flag = 1;
        return all.answer();
    });
}

int Carpool_Waitall(int count, Carpool_Request requests[], MPI_Status* statuses) {
    const char* const function = __func__;
    return of_several(function, count, requests, {}, [&] {
        Statuses all(statuses);
        for (int i = 0; i < count; ++i) all.add(guarded_end(function, requests, i, api::wait));
        return all.answer();
    });
}

int Carpool_Testany(int count, Carpool_Request requests[], int* index, int* flag,
                    MPI_Status* status) {
    const char* const function = __func__;
    return of_several(function, count, requests, {{"index", index}, {"flag", flag}}, [&] {
        int code = MPI_SUCCESS;
        bool idle = true;
        *index = find_ended(function, count, requests, idle, code);
        *flag = *index != MPI_UNDEFINED || idle ? 1 : 0;
        if (*flag != 0) api::set_empty(status);
        return code;
    });
}

int Carpool_Waitany(int count, Carpool_Request requests[], int* index, MPI_Status* status) {
    const char* const function = __func__;
    return of_several(function, count, requests, {{"index", index}}, [&] {
        int code = MPI_SUCCESS;
        bool idle = false;
        for (engine::SpinThenYield spin;; spin.wait()) {
            *index = find_ended(function, count, requests, idle, code);
            if (*index != MPI_UNDEFINED || idle) break;
        }
        api::set_empty(status);
        return code;
    });
}

int Carpool_Testsome(int incount, Carpool_Request requests[], int* outcount, int indices[],
                     MPI_Status* statuses) {
    const char* const function = __func__;
    return of_several(function, incount, requests, {{"outcount", outcount}}, [&] {
        Statuses ended(statuses);
        *outcount = find_some(function, incount, requests, indices, ended);
        return ended.answer();
    });
}

int Carpool_Waitsome(int incount, Carpool_Request requests[], int* outcount, int indices[],
                     MPI_Status* statuses) {
    const char* const function = __func__;
    return of_several(function, incount, requests, {{"outcount", outcount}}, [&] {
        Statuses ended(statuses);
        for (engine::SpinThenYield spin;; spin.wait()) {
            *outcount = find_some(function, incount, requests, indices, ended);
            if (*outcount != 0) break;
        }
        return ended.answer();
    });
}
