#pragma once

#include "engine/host_errors.hpp"
#include "engine/inside.hpp"
#include "mpi/error.hpp"
#include "mpi/library.hpp"

#include <mpi.h>

#include <atomic>
#include <exception>

namespace carpool::api {

/// Calls the error handler of comm, or of MPI_COMM_SELF if comm is null, with an error of that
/// class, whose text names the function. Returns its code.
int report(const char* function, MPI_Comm comm, int error_class, const char* text);

/// Asks MPI, as require_mpi() says.
void find_mpi(const char* function);

/// Ends the process, as MPI does, unless the function is called between MPI_Init and MPI_Finalize
/// of the MPI that this library was built with: there is no error handler that could hear of it.
inline void require_mpi(const char* function) {
    if (!mpi::runs.load(std::memory_order_relaxed)) find_mpi(function);
}

/// Throws MPI_ERR_COMM unless comm is an intracommunicator.
void check_comm(MPI_Comm comm, const char* name);

/// Throws MPI_ERR_ARG if a pointer is null. @param expected  what it must point to
void check_not_null(const char* name, const void* pointer, const char* expected);

/// Runs the body; what it throws becomes an MPI error of that function on a communicator.
/// @param comm  gives it, and is asked only then
/// @pre MPI is running
template <typename Comm, typename Body>
int reported_on(const char* function, Comm comm, Body body) {
    try {
        engine::HostErrors::restore();
        const engine::Inside inside(function);
        body();
        return MPI_SUCCESS;
    } catch (...) {
        const auto error = mpi::error_of(std::current_exception());
        return report(function, comm(), error.error_class(), error.what());
    }
}

template <typename Body>
int reported(const char* function, MPI_Comm comm, Body body) {
    return reported_on(function, [comm] { return comm; }, body);
}

/// The C boundary: as reported(), where MPI must be running. @param function  __func__
template <typename Body>
int guarded(const char* function, MPI_Comm comm, Body body) {
    require_mpi(function);
    return reported(function, comm, body);
}

}  // namespace carpool::api
