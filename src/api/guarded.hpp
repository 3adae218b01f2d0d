#pragma once

#include "mpi/error.hpp"

#include <mpi.h>

#include <exception>
#include <new>

namespace carpool::api {

/// Calls the error handler of comm with an error of that class and text; returns its code. Where
/// comm cannot have a handler, that of MPI_COMM_SELF.
int report(MPI_Comm comm, int error_class, const char* text);

bool mpi_is_running();

/// Throws MPI_ERR_COMM unless comm is an intracommunicator.
void check_comm(MPI_Comm comm, const char* name);

/// The C boundary: what is thrown inside becomes an MPI error on comm.
template <typename Body>
int guarded(MPI_Comm comm, Body body) {
    if (!mpi_is_running()) return MPI_ERR_OTHER;
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

}  // namespace carpool::api
