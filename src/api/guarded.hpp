// SPDX-License-Identifier: MIT
#pragma once

#include "engine/call_scope.hpp"
#include "engine/host_errors.hpp"
#include "mpi/error.hpp"
#include "mpi/use.hpp"

#include <mpi.h>

#include <exception>
#include <utility>

namespace carpool::api {

/// Calls the error handler of comm, or of the process's own communicator if comm is null, with an
/// error of this class whose text names the function. Returns the error code. Where no MPI is known
/// to run, prints the text and aborts the process.
int report(const char* function, MPI_Comm comm, int error_class, const char* text);

/// The slow part of require_mpi(), which asks MPI.
void find_mpi(const char* function, MPI_Comm comm);

/// Aborts the process, as MPI does, unless the function is called while the MPI runs that this
/// library was built with: otherwise no error handler can be called. A call on no communicator may
/// be made where no MPI is known to run, since a program may have a session that nothing shows: if
/// it has no error it needs no MPI.
/// @param comm  returns the communicator of the call, MPI_COMM_NULL for none; called only where no
///              MPI is known to run
template <typename Comm>
void require_mpi(const char* function, Comm comm) {
    if (!mpi::Use::runs()) [[unlikely]]
        find_mpi(function, comm());
}

/// Throws MPI_ERR_COMM unless comm is an intracommunicator.
void check_comm(MPI_Comm comm, const char* name);

/// Throws MPI_ERR_ARG if a pointer is null. @param expected  what it must point to
void check_not_null(const char* name, const void* pointer, const char* expected);

/// Runs the body as a call of the function, and returns MPI_SUCCESS, or what `failed` returns for
/// the Error that the body has thrown.
template <typename Body, typename Failed>
auto attempted(const char* function, Body body, Failed failed)
    -> decltype(failed(std::declval<const mpi::Error&>())) {
    try {
        engine::HostErrors::restore();
        const engine::CallScope inside(function);
        body();
        return MPI_SUCCESS;
    } catch (...) {
        return failed(mpi::error_of(std::current_exception()));
    }
}

/// Runs the body, and turns what it throws into an MPI error of the function on a communicator.
/// @param comm  returns the communicator; called only on an error
/// @pre require_mpi()
template <typename Comm, typename Body>
int reported_on(const char* function, Comm comm, Body body) {
    return attempted(function, body, [&](const mpi::Error& error) {
        return report(function, comm(), error.error_class(), error.what());
    });
}

template <typename Body>
int reported(const char* function, MPI_Comm comm, Body body) {
    return reported_on(function, [comm] { return comm; }, body);
}

/// The C boundary: require_mpi(), then reported().
/// @param function  __func__
template <typename Body>
int guarded(const char* function, MPI_Comm comm, Body body) {
    require_mpi(function, [comm] { return comm; });
    return reported(function, comm, body);
}

}  // namespace carpool::api
