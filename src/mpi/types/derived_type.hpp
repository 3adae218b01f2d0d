// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/element.hpp"
#include "mpi/types/type_contents.hpp"

#include <mpi.h>

namespace carpool::mpi {

/// A user's derived datatype, read once and kept alive: the user may free the handle, and no other
/// type gets the same handle as long as this object lives.
class DerivedType {
public:
    /// @pre the type is committed and not predefined
    explicit DerivedType(MPI_Datatype type);

    /// A datatype of the library's own with the same layout.
    MPI_Datatype type() const { return kept_.own.get(); }

    /// The handle that a user's operator expects to see (KeptType).
    MPI_Datatype given() const { return kept_.given; }

    const Element& element() const { return element_; }

private:
    KeptType kept_;
    Element element_;
};

}  // namespace carpool::mpi
