#pragma once

#include "interpose/mpi_operations.generated.hpp"

#include <string_view>

namespace carpool::interpose {

/// Whether CARPOOL_REPORT is set: else calls that are left to the host cost no more than a look.
bool reports_host_calls();

/// Says in the report why the host makes a call. Does nothing unless MPI runs.
void note_host_call(MpiOperation operation, std::string_view why);

/// Notes that a nonblocking neighborhood collective has been left to the host because only a call
/// that may wait can prepare its communicator (call/host_begun.hpp).
void note_unprepared(MpiOperation operation);

/// How many have been noted since this was last called.
int take_unprepared();

}  // namespace carpool::interpose
