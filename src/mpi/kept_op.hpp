#pragma once

#include <mpi.h>

namespace carpool::mpi {

/// Keeps an operator of the user's alive: a user may free one while an operation that was begun
/// with it is under way, and MPI has neither a duplicate of an operator nor attributes on it.
class KeptOp {
public:
    /// Keeps nothing where op is one of MPI's own, with MPICH on a communicator of one rank, and
    /// with others that have no persistent collectives.
    /// @note Collective over comm, without waiting.
    KeptOp(MPI_Op op, MPI_Comm comm);

    KeptOp(const KeptOp&) = delete;
    KeptOp& operator=(const KeptOp&) = delete;
    ~KeptOp();

    bool keeps() const { return op_ != MPI_OP_NULL || user_ != MPI_REQUEST_NULL; }

private:
    MPI_Op op_ = MPI_OP_NULL;              // with a reference of ours, where MPI is Open MPI
    MPI_Request user_ = MPI_REQUEST_NULL;  // else what uses it
};

}  // namespace carpool::mpi
