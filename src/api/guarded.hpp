#pragma once

#include "engine/host_errors.hpp"
#include "engine/inside.hpp"
#include "mpi/error.hpp"

#include <mpi.h>

#include <exception>

namespace carpool::api {

/// Calls the error handler of comm, or of MPI_COMM_SELF if comm is null, with an error of that
/// class and text. Returns its code.
int report(MPI_Comm comm, int error_class, const char* text);

bool mpi_is_running();

/// Throws MPI_ERR_COMM unless comm is an intracommunicator.
void check_comm(MPI_Comm comm, const char* name);

/// Runs the body; what it throws becomes an MPI error on comm. @pre MPI is running
template <typename Body>
int reported(MPI_Comm comm, Body body) {
    try {
        engine::HostErrors::restore();
        const engine::Inside inside;
        body();
        return MPI_SUCCESS;
    } catch (...) {
        const auto error = mpi::error_of(std::current_exception());
        return report(comm, error.error_class(), error.what());
    }
}

/// The C boundary: as reported(), but refuses where MPI is not running.
template <typename Body>
int guarded(MPI_Comm comm, Body body) {
    return mpi_is_running() ? reported(comm, body) : MPI_ERR_OTHER;
}

}  // namespace carpool::api
