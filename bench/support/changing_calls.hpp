// SPDX-License-Identifier: MIT
#pragma once

#include "check.hpp"

#include <carpool/carpool.h>
#include <mpi.h>

#include <array>
#include <functional>
#include <string>
#include <utility>

namespace bench::changing {

/// The collectives that the programs call, in one form of the host MPI or of Carpool.
struct Calls {
    std::string name;
    std::function<int(const void* send, int count, MPI_Datatype type, void* recv, MPI_Comm comm)>
        alltoall;
    std::function<int(const void* send, const int* counts, const int* displs, void* recv,
                      const int* recvcounts, const int* recvdispls, MPI_Datatype type,
                      MPI_Comm comm)>
        alltoallv;
    std::function<int(const double* send, double* recv, int count, MPI_Comm comm)> allreduce;
};

/// @param finished  waits for a nonblocking call, or returns the error code of a blocking one
template <class Alltoall, class Alltoallv, class Allreduce, class Finished>
Calls calls_of(std::string name, Alltoall alltoall, Alltoallv alltoallv, Allreduce allreduce,
               Finished finished) {
    return {std::move(name),
            [=](const void* send, int count, MPI_Datatype type, void* recv, MPI_Comm comm) {
                return finished(alltoall, send, count, type, recv, count, type, comm);
            },
            [=](const void* send, const int* counts, const int* displs, void* recv,
                const int* recvcounts, const int* recvdispls, MPI_Datatype type, MPI_Comm comm) {
                return finished(alltoallv, send, counts, displs, type, recv, recvcounts, recvdispls,
                                type, comm);
            },
            [=](const double* send, double* recv, int count, MPI_Comm comm) {
                return finished(allreduce, send, recv, count, MPI_DOUBLE, MPI_SUM, comm);
            }};
}

inline constexpr auto blocking = [](auto call, auto... arguments) { return call(arguments...); };

inline constexpr auto nonblocking = [](auto call, auto... arguments) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(call(arguments..., &request));
    return MPI_Wait(&request, MPI_STATUS_IGNORE);
};

inline const std::array all_calls{
    calls_of("host blocking", MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv, MPI_Allreduce,
             blocking),
    calls_of("host nonblocking", MPI_Ineighbor_alltoall, MPI_Ineighbor_alltoallv, MPI_Iallreduce,
             nonblocking),
    calls_of("Carpool blocking", Carpool_Neighbor_alltoall, Carpool_Neighbor_alltoallv,
             Carpool_Allreduce, blocking),
    calls_of("Carpool nonblocking", Carpool_Ineighbor_alltoall, Carpool_Ineighbor_alltoallv,
             Carpool_Iallreduce, nonblocking)};

}  // namespace bench::changing
