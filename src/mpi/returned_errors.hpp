// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/error.hpp"
#include "mpi/lives.hpp"

#include <mpi.h>

#include <optional>

namespace carpool::mpi {

/// ReturnedErrors for errors that belong to no communicator: MPI raises them on MPI_COMM_WORLD or
/// MPI_COMM_SELF, if there are these.
class ReturnedErrorsOfNoComm {
public:
    ReturnedErrorsOfNoComm() {
        if (is_missing(MPI_COMM_WORLD)) return;
        of_world_.emplace(MPI_COMM_WORLD);
        of_self_.emplace(MPI_COMM_SELF);
    }

private:
    std::optional<ReturnedErrors> of_world_, of_self_;
};

}  // namespace carpool::mpi
