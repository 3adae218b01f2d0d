// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/layout.hpp"

#include <mpi.h>

#include <cstdint>
#include <optional>

namespace carpool::mpi {

/// One element of a datatype.
struct Element {
    explicit Element(MPI_Datatype type);

    std::int64_t size;
    std::int64_t extent;
    std::optional<Layout> layout;  ///< nothing for types that only MPI_Pack can read
    bool is_dense;                 ///< are its bytes one piece, as long as its extent?
};

/// The element of a predefined type, about which each thread asks MPI once; null for other types.
const Element* predefined_element(MPI_Datatype type);

/// The size of an element in bytes. MPI is asked about each predefined type only once.
std::int64_t element_size(MPI_Datatype type);

}  // namespace carpool::mpi
