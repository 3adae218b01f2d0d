#pragma once

#include "mpi/element.hpp"
#include "mpi/type_contents.hpp"

#include <mpi.h>

namespace carpool::mpi {

/// A derived datatype of the user's, read once and kept alive: the user may free his handle, which
/// stands for no other type as long as this one is kept.
class DerivedType {
public:
    /// @pre the type is committed and not predefined
    explicit DerivedType(MPI_Datatype type);

    /// A type of ours with the same layout.
    MPI_Datatype type() const { return kept_.own.get(); }

    /// What an operator of the user's expects to see (KeptType).
    MPI_Datatype given() const { return kept_.given; }

    const Element& element() const { return element_; }

private:
    KeptType kept_;
    Element element_;
};

}  // namespace carpool::mpi
