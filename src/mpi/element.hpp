#pragma once

#include "mpi/layout.hpp"

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

/// That of a predefined type, of which MPI is asked once in each thread; null for others.
const Element* predefined_element(MPI_Datatype type);

/// Bytes of an element, of predefined types without asking MPI.
std::int64_t element_size(MPI_Datatype type);

}  // namespace carpool::mpi
