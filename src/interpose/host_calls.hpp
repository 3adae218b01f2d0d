// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/mpi_operations.generated.hpp"

#include <string_view>

namespace carpool::interpose {

/// Adds a call that the host makes to the report, if one is wanted and MPI is in use.
void add_host_call(std::string_view operation, std::string_view why);

/// The same for a persistent request of the operation.
void add_host_init(MpiOperation operation, std::string_view why);

/// Whether a call of the host that returned this code has happened: not if its arguments were
/// refused, so that no message was sent.
bool was_made(int code);

}  // namespace carpool::interpose
