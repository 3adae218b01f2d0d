// SPDX-License-Identifier: MIT
#include "mpi/handle.hpp"

#include "mpi/use.hpp"

namespace carpool::mpi {

bool finalized() {
    if (Use::runs()) return false;
    if (Use::by_sessions()) return Use::has_exited();
    int flag = 0;
    MPI_Finalized(&flag);
    return flag != 0;
}

}  // namespace carpool::mpi
