// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace carpool::mpi {

/// Keeps a user's operator alive: the user may free it while an operation that uses it is under
/// way, and MPI has neither duplicates of operators nor attributes on them.
class KeptOp {
public:
    /// Keeps nothing if op is one of MPI's own, with MPICH on a communicator of one rank, and with
    /// other MPIs that have no persistent collectives.
    /// @note Collective over comm, without waiting.
    KeptOp(MPI_Op op, MPI_Comm comm);

    KeptOp(const KeptOp&) = delete;
    KeptOp& operator=(const KeptOp&) = delete;
    ~KeptOp();

    bool keeps() const { return op_ != MPI_OP_NULL || user_ != MPI_REQUEST_NULL; }

private:
    MPI_Op op_ = MPI_OP_NULL;              // Open MPI: this object holds a reference to it
    MPI_Request user_ = MPI_REQUEST_NULL;  // other MPIs: a request that uses the operator
};

}  // namespace carpool::mpi
