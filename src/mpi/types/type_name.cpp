// SPDX-License-Identifier: MIT
#include "mpi/types/type_name.hpp"

#include "mpi/error.hpp"

#include <cstddef>

namespace carpool::mpi {

std::string type_name(MPI_Datatype type, const std::string& otherwise) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    check(MPI_Type_get_name(type, name, &length), "MPI_Type_get_name");
    const std::string text(name, static_cast<std::size_t>(length));
    return text.empty() || text.starts_with("Dup ") ? otherwise : text;
}

}  // namespace carpool::mpi
