// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <string>

namespace carpool::mpi {

/// The name that MPI or the user has given a datatype, or `otherwise` if there is none. Open MPI
/// names a duplicate after its original, with "Dup " before, which counts as none.
std::string type_name(MPI_Datatype type, const std::string& otherwise = "a derived datatype");

}  // namespace carpool::mpi
