#pragma once

#include <mpi.h>

#include <string>

namespace carpool::mpi {

/// As MPI has it, in ASCII: a name may be any bytes. Empty where there is none.
std::string comm_name(MPI_Comm comm);

}  // namespace carpool::mpi
