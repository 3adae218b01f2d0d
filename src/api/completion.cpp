#include "api/completion.hpp"

#include <string>

namespace carpool::api {

bool is_active(Carpool_Request request) {
    return request != CARPOOL_REQUEST_NULL && request->engine_request->active();
}

bool test(Carpool_Request request) {
    check_own(request);
    return request == CARPOOL_REQUEST_NULL || request->engine_request->test();
}

void wait(Carpool_Request request) {
    check_own(request);
    if (request != CARPOOL_REQUEST_NULL) request->engine_request->wait();
}

void check_own(Carpool_Request request) {
    if (request != CARPOOL_REQUEST_NULL && request->engine_request->lent())
        throw mpi::Error(MPI_ERR_REQUEST,
                         "request has been given to MPI by Carpool_Request_get_mpi, expected that "
                         "its MPI_Request has completed or been freed");
}

void check_count(int count, const void* requests) {
    if (count < 0)
        throw mpi::Error(MPI_ERR_COUNT,
                         "count is " + std::to_string(count) + ", expected at least 0");
    if (count > 0 && requests == nullptr)
        throw mpi::Error(MPI_ERR_ARG, "requests is a null pointer, expected an array");
}

}  // namespace carpool::api
