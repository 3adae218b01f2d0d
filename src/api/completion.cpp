#include "api/completion.hpp"

#include <string>

namespace carpool::api {

bool is_active(Carpool_Request request) {
    return request != CARPOOL_REQUEST_NULL && request->engine_request->active();
}

bool test(Carpool_Request request) {
    return request == CARPOOL_REQUEST_NULL || request->engine_request->test();
}

void wait(Carpool_Request request) {
    if (request != CARPOOL_REQUEST_NULL) request->engine_request->wait();
}

void set_empty(MPI_Status* status) {
    if (status == MPI_STATUS_IGNORE) return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = MPI_SUCCESS;
    mpi::check(MPI_Status_set_elements(status, MPI_BYTE, 0), "MPI_Status_set_elements");
    mpi::check(MPI_Status_set_cancelled(status, 0), "MPI_Status_set_cancelled");
}

void retire(Carpool_Request* request) {
    if (*request == CARPOOL_REQUEST_NULL || (*request)->engine_request->is_persistent()) return;
    delete *request;
    *request = CARPOOL_REQUEST_NULL;
}

void check_count(int count, const void* requests) {
    if (count < 0)
        throw mpi::Error(MPI_ERR_COUNT,
                         "count is " + std::to_string(count) + ", expected at least 0");
    if (count > 0 && requests == nullptr)
        throw mpi::Error(MPI_ERR_ARG, "requests is a null pointer, expected an array");
}

}  // namespace carpool::api
