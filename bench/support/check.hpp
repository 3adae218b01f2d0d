// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace bench {

/// Throws MPI's error text for `code`, with the source location of the call, unless it is
/// MPI_SUCCESS.
inline void check(int code, std::source_location where = std::source_location::current()) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw std::runtime_error(std::string(where.file_name()) + ":" + std::to_string(where.line()) +
                             ": " + text);
}

}  // namespace bench
