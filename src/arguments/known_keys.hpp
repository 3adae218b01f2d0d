#pragma once

#include <mpi.h>

#include <string_view>

namespace carpool::arguments {

/// Is it a key of ours, as in "carpool_alpha"? All of them stand in known_keys.cpp.
bool is_known(std::string_view key);

/// Says on stderr which keys carpool_* of an info object nobody knows, and what may have been
/// meant, if a known one is near: on rank 0 of comm, and of each key once. Local.
void warn_of_unknown_keys(MPI_Info info, MPI_Comm comm);

/// The same of variables CARPOOL_*, on rank 0 of MPI_COMM_WORLD, at the first call.
void warn_of_unknown_variables();

}  // namespace carpool::arguments
