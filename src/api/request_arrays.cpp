#include "api/completion.hpp"
#include "engine/spin_then_yield.hpp"

#include <algorithm>

using namespace carpool;
using api::guarded_end;

namespace {

/// Null or inactive: Testany, Waitany, Testsome and Waitsome pass over it.
bool is_idle(Carpool_Request request) {
    return request == CARPOOL_REQUEST_NULL || !api::is_active(request);
}

/// The statuses of requests that have ended. They say which have failed, as MPI does.
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

/// Checks the arguments, then returns what the body returns.
template <typename Body>
int of_several(int count, const Carpool_Request* requests, Body body) {
    int answer = MPI_SUCCESS;
    const int code = api::guarded(MPI_COMM_SELF, [&] {
        api::check_count(count, requests);
        answer = body();
    });
    return code != MPI_SUCCESS ? code : answer;
}

/// True if the request has ended. If it has failed, code is the error.
bool has_ended(Carpool_Request& request, int& code) {
    bool ended = false;
    code = guarded_end(&request, [&] { ended = api::test(request); });
    return ended || code != MPI_SUCCESS;
}

/// The index of a request that has ended. MPI_UNDEFINED if none has, or if all are idle.
int find_ended(int count, Carpool_Request* requests, bool& idle, int& code) {
    idle = true;
    for (int i = 0; i < count; ++i) {
        if (is_idle(requests[i])) continue;
        idle = false;
        if (has_ended(requests[i], code)) return i;
    }
    return MPI_UNDEFINED;
}

/// Finds all requests that have ended, in their order. Returns how many, or MPI_UNDEFINED if all
/// are idle.
int find_some(int count, Carpool_Request* requests, int* indices, Statuses& statuses) {
    int found = 0;
    bool idle = true;
    for (int i = 0; i < count; ++i) {
        if (is_idle(requests[i])) continue;
        idle = false;
        int code = MPI_SUCCESS;
        if (!has_ended(requests[i], code)) continue;
        indices[found++] = i;
        statuses.add(code);
    }
    return idle ? MPI_UNDEFINED : found;
}

}  // namespace

int Carpool_Testall(int count, Carpool_Request requests[], int* flag, MPI_Status* statuses) {
    *flag = 0;
    return of_several(count, requests, [&] {
        // MPI changes no request unless all have ended
        const auto over = [](auto request) {
            api::check_own(request);
            return request == CARPOOL_REQUEST_NULL || request->engine_request->over();
        };
        Statuses all(statuses);
        if (!std::all_of(requests, requests + count, over)) return all.answer();
        for (int i = 0; i < count; ++i)
            all.add(guarded_end(&requests[i], [&] { api::test(requests[i]); }));
        *flag = 1;
        return all.answer();
    });
}

int Carpool_Waitall(int count, Carpool_Request requests[], MPI_Status* statuses) {
    return of_several(count, requests, [&] {
        Statuses all(statuses);
        for (int i = 0; i < count; ++i)
            all.add(guarded_end(&requests[i], [&] { api::wait(requests[i]); }));
        return all.answer();
    });
}

int Carpool_Testany(int count, Carpool_Request requests[], int* index, int* flag,
                    MPI_Status* status) {
    return of_several(count, requests, [&] {
        int code = MPI_SUCCESS;
        bool idle = true;
        *index = find_ended(count, requests, idle, code);
        *flag = *index != MPI_UNDEFINED || idle ? 1 : 0;
        if (*flag != 0) api::set_empty(status);
        return code;
    });
}

int Carpool_Waitany(int count, Carpool_Request requests[], int* index, MPI_Status* status) {
    return of_several(count, requests, [&] {
        int code = MPI_SUCCESS;
        bool idle = false;
        for (engine::SpinThenYield spin;; spin.wait()) {
            *index = find_ended(count, requests, idle, code);
            if (*index != MPI_UNDEFINED || idle) break;
        }
        api::set_empty(status);
        return code;
    });
}

int Carpool_Testsome(int incount, Carpool_Request requests[], int* outcount, int indices[],
                     MPI_Status* statuses) {
    return of_several(incount, requests, [&] {
        Statuses ended(statuses);
        *outcount = find_some(incount, requests, indices, ended);
        return ended.answer();
    });
}

int Carpool_Waitsome(int incount, Carpool_Request requests[], int* outcount, int indices[],
                     MPI_Status* statuses) {
    return of_several(incount, requests, [&] {
        Statuses ended(statuses);
        for (engine::SpinThenYield spin;; spin.wait()) {
            *outcount = find_some(incount, requests, indices, ended);
            if (*outcount != 0) break;
        }
        return ended.answer();
    });
}
