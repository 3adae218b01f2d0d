#include "interpose/persistent_requests.hpp"
#include "mpi/host_symbol.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

// The functions of MPI that start, complete and free requests. Where no request in a call has one
// of Carpool's behind it, the host's function is called with the same arguments.

using carpool::interpose::PersistentRequests;
using carpool::mpi::host_function;

namespace {

bool has_ours(int count, const MPI_Request* requests) {
    return std::any_of(requests, requests + std::max(count, 0), [](MPI_Request request) {
        return PersistentRequests::find(request) != nullptr;
    });
}

/// The requests of an array as the host can wait for them, until the end of the host's call.
class ForHost {
public:
    ForHost(int count, MPI_Request* users)
        : users_(users, static_cast<std::size_t>(count)), all_(users_.begin(), users_.end()) {
        for (auto& request : all_)
            if (auto* const ours = PersistentRequests::find(request)) request = ours->for_mpi();
    }
    ForHost(const ForHost&) = delete;
    ForHost& operator=(const ForHost&) = delete;

    /// Takes over what the host has made of the requests. A persistent request of ours keeps its
    /// handle.
    ~ForHost() {
        for (std::size_t i = 0; i < all_.size(); ++i) {
            auto* const ours = PersistentRequests::find(users_[i]);
            if (ours == nullptr)
                users_[i] = all_[i];
            else if (all_[i] == MPI_REQUEST_NULL)
                ours->complete();
        }
    }

    MPI_Request* data() { return all_.data(); }

private:
    std::span<MPI_Request> users_;
    std::vector<MPI_Request> all_;
};

std::vector<MPI_Request> copied(int count, const MPI_Request* requests) {
    return {requests, requests + count};
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int carpool_MPI_Start(MPI_Request* request) {
    auto* const ours = request != nullptr ? PersistentRequests::find(*request) : nullptr;
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
    auto* const ours = request != nullptr ? PersistentRequests::find(*request) : nullptr;
    return ours != nullptr ? ours->wait(status) : PMPI_Wait(request, status);
}

int carpool_MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
    auto* const ours = request != nullptr ? PersistentRequests::find(*request) : nullptr;
    return ours != nullptr ? ours->test(flag, status) : PMPI_Test(request, flag, status);
}

int carpool_MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
    if (!has_ours(count, requests)) return PMPI_Waitall(count, requests, statuses);
    if (count == 1 && statuses == MPI_STATUSES_IGNORE)
        return carpool_MPI_Wait(requests, MPI_STATUS_IGNORE);
    return PMPI_Waitall(count, ForHost(count, requests).data(), statuses);
}

int carpool_MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status* statuses) {
    if (!has_ours(count, requests)) return PMPI_Testall(count, requests, flag, statuses);
    return PMPI_Testall(count, ForHost(count, requests).data(), flag, statuses);
}

int carpool_MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
    if (!has_ours(count, requests)) return PMPI_Waitany(count, requests, index, status);
    return PMPI_Waitany(count, ForHost(count, requests).data(), index, status);
}

int carpool_MPI_Testany(int count, MPI_Request requests[], int* index, int* flag,
                        MPI_Status* status) {
    if (!has_ours(count, requests)) return PMPI_Testany(count, requests, index, flag, status);
    return PMPI_Testany(count, ForHost(count, requests).data(), index, flag, status);
}

int carpool_MPI_Waitsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                         MPI_Status* statuses) {
    if (!has_ours(incount, requests))
        return PMPI_Waitsome(incount, requests, outcount, indices, statuses);
    return PMPI_Waitsome(incount, ForHost(incount, requests).data(), outcount, indices, statuses);
}

int carpool_MPI_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[],
                         MPI_Status* statuses) {
    if (!has_ours(incount, requests))
        return PMPI_Testsome(incount, requests, outcount, indices, statuses);
    return PMPI_Testsome(incount, ForHost(incount, requests).data(), outcount, indices, statuses);
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
    if (!has_ours(count, requests)) return host(count, requests, flag, statuses);
    auto copies = copied(count, requests);
    return host(count, ForHost(count, copies.data()).data(), flag, statuses);
}

int carpool_MPI_Request_get_status_any(int count, const MPI_Request requests[], int* index,
                                       int* flag, MPI_Status* status) {
    static auto* const host = host_function<int(int, const MPI_Request*, int*, int*, MPI_Status*)>(
        "PMPI_Request_get_status_any");
    if (!has_ours(count, requests)) return host(count, requests, index, flag, status);
    auto copies = copied(count, requests);
    return host(count, ForHost(count, copies.data()).data(), index, flag, status);
}

int carpool_MPI_Request_get_status_some(int incount, const MPI_Request requests[], int* outcount,
                                        int indices[], MPI_Status* statuses) {
    static auto* const host = host_function<int(int, const MPI_Request*, int*, int*, MPI_Status*)>(
        "PMPI_Request_get_status_some");
    if (!has_ours(incount, requests)) return host(incount, requests, outcount, indices, statuses);
    auto copies = copied(incount, requests);
    return host(incount, ForHost(incount, copies.data()).data(), outcount, indices, statuses);
}

}  // extern "C"
#pragma GCC visibility pop
