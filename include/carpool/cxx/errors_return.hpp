// SPDX-License-Identifier: MIT
#pragma once

#include <carpool/cxx/error.hpp>
#include <initializer_list>
#include <utility>
#include <vector>

namespace carpool {

/// Sets the error handler of communicators to MPI_ERRORS_RETURN for a scope, so that errors on them
/// are exceptions. Calls without a communicator, such as those of stencils and deliveries, report
/// errors on MPI_COMM_SELF. A program by sessions alone has neither default: it names
/// communicators.
class ErrorsReturn {
public:
    /// Saves the error handlers of the communicators, and replaces them. @note Local.
    explicit ErrorsReturn(std::initializer_list<MPI_Comm> comms = {MPI_COMM_WORLD, MPI_COMM_SELF}) {
        for (const auto comm : comms) {
            MPI_Errhandler before = MPI_ERRHANDLER_NULL;
            check(MPI_Comm_get_errhandler(comm, &before), "MPI_Comm_get_errhandler");
            before_.emplace_back(comm, before);
            check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        }
    }
    ErrorsReturn(const ErrorsReturn&) = delete;
    ErrorsReturn& operator=(const ErrorsReturn&) = delete;
    /// Sets the former error handlers again. @pre MPI runs, and the communicators still exist
    ~ErrorsReturn() {
        for (auto& [comm, handler] : before_) {
            MPI_Comm_set_errhandler(comm, handler);
            if (handler != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&handler);
        }
    }

private:
    std::vector<std::pair<MPI_Comm, MPI_Errhandler>> before_;
};

}  // namespace carpool
