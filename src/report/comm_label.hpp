// SPDX-License-Identifier: MIT
#pragma once

#include "report/comms.hpp"

#include <mpi.h>

#include <memory>
#include <string>

namespace carpool::report {

/// How a communicator came to be; an attribute of it.
struct CommOrigin {
    std::string function = {};      ///< "the 3rd MPI_Cart_create of MPI_COMM_WORLD", if known
    std::string duplicate_of = {};  ///< how a report calls that communicator, if it is a duplicate
    std::string label = {};         ///< how a report calls this one, if that has been asked for

    static std::shared_ptr<CommOrigin> on_dup(const std::shared_ptr<CommOrigin>& origin);
};

/// The label of a communicator: its name or topology, that of which it is a duplicate, or its ranks
/// in MPI_COMM_WORLD. Local; throws nothing.
CommLabel label_of(MPI_Comm comm);

}  // namespace carpool::report
