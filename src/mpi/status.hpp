// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/error.hpp"

#include <mpi.h>

namespace carpool::mpi {

/// Sets a status to MPI's empty status, as collective operations have it; ignores
/// MPI_STATUS_IGNORE.
inline void set_empty(MPI_Status* status) {
    if (status == MPI_STATUS_IGNORE) return;
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    status->MPI_ERROR = MPI_SUCCESS;
    check(MPI_Status_set_elements(status, MPI_BYTE, 0), "MPI_Status_set_elements");
    check(MPI_Status_set_cancelled(status, 0), "MPI_Status_set_cancelled");
}

}  // namespace carpool::mpi
