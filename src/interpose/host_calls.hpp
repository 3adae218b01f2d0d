#pragma once

#include "interpose/mpi_operations.generated.hpp"

#include <string_view>

namespace carpool::interpose {

/// Whether CARPOOL_REPORT is set. If not, a call that is left to the host costs only this test.
bool reports_host_calls();

/// Adds a call that the host makes to the report, if one is wanted and MPI runs.
void add_host_call(std::string_view operation, std::string_view why);

/// Says in the report why the host makes a call.
inline void note_host_call(MpiOperation operation, std::string_view why) {
    if (reports_host_calls()) add_host_call(names_of_operations[index_of(operation)], why);
}

/// Whether a call of the host that returned this code has happened: not if its arguments were
/// refused, so that no message was sent.
bool was_made(int code);

}  // namespace carpool::interpose
