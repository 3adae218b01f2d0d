// SPDX-License-Identifier: MIT
#include "api/completion.hpp"

#include <string>

namespace carpool::api {

void refuse(Carpool_Request request, const std::string& name) {
    throw mpi::Error(MPI_ERR_REQUEST, name + " is " + instead_of_request(request) +
                                          ", expected a persistent request");
}

void refuse_lent() {
    throw mpi::Error(MPI_ERR_REQUEST,
                     "request has been given to MPI by Carpool_Request_get_mpi, expected that its "
                     "MPI_Request has completed or been freed");
}

void check_count(int count, const void* requests) {
    if (count < 0)
        throw mpi::Error(MPI_ERR_COUNT,
                         "count is " + std::to_string(count) + ", expected at least 0");
    if (count > 0 && requests == nullptr)
        throw mpi::Error(MPI_ERR_ARG, "requests is a null pointer, expected an array");
}

}  // namespace carpool::api
