// SPDX-License-Identifier: MIT
#include "mpi/types/derived_type.hpp"

namespace carpool::mpi {

DerivedType::DerivedType(MPI_Datatype type) : kept_(kept(type)), element_(type) {}

}  // namespace carpool::mpi
