#include "mpi/handle.hpp"

namespace carpool::mpi {

bool finalized() {
    int flag = 0;
    MPI_Finalized(&flag);
    return flag != 0;
}

}  // namespace carpool::mpi
