// SPDX-License-Identifier: MIT
#include "mpi/comm/comm_name.hpp"

#include "mpi/error.hpp"

#include <cstddef>
#include <span>

namespace carpool::mpi {

std::string comm_name(MPI_Comm comm) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    check(MPI_Comm_get_name(comm, name, &length), "MPI_Comm_get_name");
    for (char& letter : std::span(name, static_cast<std::size_t>(length)))
        if (letter < ' ' || letter > '~') letter = '?';
    return {name, static_cast<std::size_t>(length)};
}

}  // namespace carpool::mpi
