// SPDX-License-Identifier: MIT
#include "engine/host_errors.hpp"

#include "mpi/lives.hpp"

#include <mpi.h>

#include <array>

namespace carpool::engine {
namespace {

struct Kept {
    MPI_Comm comm;
    MPI_Errhandler handler;
};

thread_local std::array<Kept, 2> kept;

}  // namespace

bool HostErrors::only_return() {
    if (changed_) return true;
    if (mpi::is_missing(MPI_COMM_SELF)) return false;
    kept = {{{MPI_COMM_SELF, MPI_ERRHANDLER_NULL}, {MPI_COMM_WORLD, MPI_ERRHANDLER_NULL}}};
    for (auto& [comm, handler] : kept) {
        MPI_Comm_get_errhandler(comm, &handler);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    }
    changed_ = true;
    return true;
}

/// A handler that the user has set meanwhile stays.
void HostErrors::put_back() {
    for (auto& [comm, handler] : kept) {
        MPI_Errhandler now = MPI_ERRHANDLER_NULL;
        MPI_Comm_get_errhandler(comm, &now);
        if (now == MPI_ERRORS_RETURN) MPI_Comm_set_errhandler(comm, handler);
        if (now != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&now);
        if (handler != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&handler);
    }
    changed_ = false;
}

}  // namespace carpool::engine
