#pragma once

#include "mpi/error.hpp"

#include <mpi.h>

#include <exception>
#include <new>

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
        body();
        return MPI_SUCCESS;
    } catch (const mpi::Error& error) {
        return report(comm, error.error_class(), error.what());
    } catch (const std::bad_alloc&) {
        return report(comm, MPI_ERR_NO_MEM, "out of memory");
    } catch (const std::exception& error) {
        return report(comm, MPI_ERR_OTHER, error.what());
    }
}

/// The C boundary: as reported(), but refuses where MPI is not running.
template <typename Body>
int guarded(MPI_Comm comm, Body body) {
    return mpi_is_running() ? reported(comm, body) : MPI_ERR_OTHER;
}

}  // namespace carpool::api
