// SPDX-License-Identifier: MIT
#include "mpi/known_comms.hpp"

#include "mpi/returned_errors.hpp"

namespace carpool::mpi {

/// MPICH reports that a handle is no communicator on MPI_COMM_WORLD or MPI_COMM_SELF, whose
/// handlers would end the job with a text that names neither the user's call nor its argument.
bool KnownComms::answers(MPI_Comm comm) {
    const ReturnedErrorsOfNoComm returned;
    int inter = 0;
    return MPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS;
}

}  // namespace carpool::mpi
