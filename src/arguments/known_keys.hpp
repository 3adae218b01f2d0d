// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <string_view>

namespace carpool::arguments {

/// Whether this is a key of Carpool's, such as "carpool_alpha". known_keys.cpp lists all of them.
bool is_known(std::string_view key);

/// Warns on stderr of unknown keys carpool_* in an info object, and suggests a known key if one is
/// near. Only rank 0 of comm warns, once for each key. Local.
void warn_of_unknown_keys(MPI_Info info, MPI_Comm comm);

/// The same for environment variables CARPOOL_*, on rank 0 of the job at the first call.
void warn_of_unknown_variables();

}  // namespace carpool::arguments
