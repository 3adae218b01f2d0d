// SPDX-License-Identifier: MIT
#include "api/guarded.hpp"
#include "interpose/persistent_requests.hpp"
#include "interpose/watched_requests.hpp"
#include "mpi/host_symbol.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

// The functions of MPI that start, complete and free requests. Where no request in a call has one
// of Carpool's behind it, the host's function is called with the same arguments.

using carpool::interpose::CompletionCall;
using carpool::interpose::PersistentRequest;
using carpool::interpose::PersistentRequests;
using carpool::interpose::WatchedRequests;
using carpool::mpi::host_function;

namespace {

bool has_ours(int count, const MPI_Request* requests) {
    return std::any_of(requests, requests + std::max(count, 0), [](MPI_Request request) {
        return PersistentRequests::find(request) != nullptr;
    });
}

PersistentRequest* ours_behind(const MPI_Request* request) {
    return request != nullptr ? PersistentRequests::find(*request) : nullptr;
}

/// The requests of an array as the host can wait for them, until the end of the host's call.
class ForHost {
public:
    ForHost(int count, const MPI_Request* requests)
        : all_(requests, requests + count), ours_(all_.size()) {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            ours_[i] = PersistentRequests::find(all_[i]);
            if (ours_[i] != nullptr) all_[i] = ours_[i]->for_mpi();
        }
    }

    MPI_Request* data() { return all_.data(); }

    /// Writes to the user's array what the host has made of the requests. A persistent request of
    /// ours keeps its handle.
    void write_back(MPI_Request* requests) {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (ours_[i] == nullptr)
                requests[i] = all_[i];
            else if (all_[i] == MPI_REQUEST_NULL)
                ours_[i]->complete();
        }
    }

private:
    std::vector<MPI_Request> all_;
    std::vector<PersistentRequest*> ours_;  // null for requests that are the host's alone
};

/// Calls a function of the host's that may complete requests; a report wants to know which it has.
template <typename Host>
int completing(int count, MPI_Request* requests, Host host) {
    if (!WatchedRequests::any() || count <= 0 || requests == nullptr) return host();
    CompletionCall call(count, requests);
    const int code = host();
    call.returned(requests);
    return code;
}

/// Calls the host's function with an array in which it can wait for all requests.
/// @param users  the same array, to be written to; null if the function writes to none
template <typename Host>
int with_requests(const char* function, int count, const MPI_Request* requests, MPI_Request* users,
                  Host host) {
    if (!has_ours(count, requests)) {
        auto* const all = const_cast<MPI_Request*>(requests);
        return users == nullptr ? host(all) : completing(count, all, [&] { return host(all); });
    }
    std::optional<ForHost> for_host;
    const int code =
        carpool::api::reported(function, MPI_COMM_NULL, [&] { for_host.emplace(count, requests); });
    if (code != MPI_SUCCESS) return code;
    // not inside a call of Carpool's: the host's progress must forward blocks
    const int host_code =
        completing(count, for_host->data(), [&] { return host(for_host->data()); });
    if (users != nullptr) for_host->write_back(users);
    return host_code;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int carpool_MPI_Start(MPI_Request* request) {
    auto* const ours = ours_behind(request);
    return ours != nullptr ? ours->start() : PMPI_Start(request);
}

/// Starts them one after the other, since requests of point-to-point communication and collectives
/// of the host must be started in their order.
int carpool_MPI_Startall(int count, MPI_Request requests[]) {
    if (!has_ours(count, requests)) return PMPI_Startall(count, requests);
    for (int i = 0; i < count; ++i) {
        const int code = carpool_MPI_Start(&requests[i]);
        if (code != MPI_SUCCESS) return code;
    }
    return MPI_SUCCESS;
}

int carpool_MPI_Wait(MPI_Request* request, MPI_Status* status) {
    auto* const ours = ours_behind(request);
    if (ours != nullptr) return ours->wait(status);
    return completing(1, request, [&] { return PMPI_Wait(request, status); });
}

int carpool_MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    auto* const ours = ours_behind(request);
    if (ours != nullptr) return ours->test(flag, status);
    return completing(1, request, [&] { return PMPI_Test(request, flag, status); });
}

int carpool_MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
    if (count == 1 && statuses == MPI_STATUSES_IGNORE)
        return carpool_MPI_Wait(requests, MPI_STATUS_IGNORE);
    return with_requests("MPI_Waitall", count, requests, requests,
                         [&](MPI_Request* all) { return PMPI_Waitall(count, all, statuses); });
}

int carpool_MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status* statuses) {
    return with_requests("MPI_Testall", count, requests, requests, [&](MPI_Request* all) {
        return PMPI_Testall(count, all, flag, statuses);
    });
}

int carpool_MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
    return with_requests("MPI_Waitany", count, requests, requests,
                         [&](MPI_Request* all) { return PMPI_Waitany(count, all, index, status); });
}

int carpool_MPI_Testany(int count, MPI_Request requests[], int* index, int* flag,
                        MPI_Status* status) {
    return with_requests("MPI_Testany", count, requests, requests, [&](MPI_Request* all) {
        return PMPI_Testany(count, all, index, flag, status);
    });
}

int carpool_MPI_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                         MPI_Status* statuses) {
    return with_requests("MPI_Waitsome", incount, requests, requests, [&](MPI_Request* all) {
        return PMPI_Waitsome(incount, all, outcount, indices, statuses);
    });
}

int carpool_MPI_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                         MPI_Status* statuses) {
    return with_requests("MPI_Testsome", incount, requests, requests, [&](MPI_Request* all) {
        return PMPI_Testsome(incount, all, outcount, indices, statuses);
    });
}

int carpool_MPI_Request_free(MPI_Request* request) {
    if (request != nullptr) PersistentRequests::remove(*request);
    return PMPI_Request_free(request);
}

int carpool_MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
    auto* const ours = PersistentRequests::find(request);
    return ours != nullptr ? ours->get_status(flag, status)
                           : PMPI_Request_get_status(request, flag, status);
}

// MPI 4.1 has these; an MPI that does not have them has no program that calls them.

int carpool_MPI_Request_get_status_all(int count, const MPI_Request requests[], int* flag,
                                       MPI_Status* statuses) {
    static auto* const host = host_function<int(int, const MPI_Request*, int*, MPI_Status*)>(
        "PMPI_Request_get_status_all");
    return with_requests("MPI_Request_get_status_all", count, requests, nullptr,
                         [&](MPI_Request* all) { return host(count, all, flag, statuses); });
}

int carpool_MPI_Request_get_status_any(int count, const MPI_Request requests[], int* index,
                                       int* flag, MPI_Status* status) {
    static auto* const host = host_function<int(int, const MPI_Request*, int*, int*, MPI_Status*)>(
        "PMPI_Request_get_status_any");
    return with_requests("MPI_Request_get_status_any", count, requests, nullptr,
                         [&](MPI_Request* all) { return host(count, all, index, flag, status); });
}

int carpool_MPI_Request_get_status_some(int incount, const MPI_Request requests[], int* outcount,
                                        int indices[], MPI_Status* statuses) {
    static auto* const host = host_function<int(int, const MPI_Request*, int*, int*, MPI_Status*)>(
        "PMPI_Request_get_status_some");
    return with_requests(
        "MPI_Request_get_status_some", incount, requests, nullptr,
        [&](MPI_Request* all) { return host(incount, all, outcount, indices, statuses); });
}

}  // extern "C"
#pragma GCC visibility pop
