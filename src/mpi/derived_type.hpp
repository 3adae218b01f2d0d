#pragma once

#include "mpi/element.hpp"
#include "mpi/handle.hpp"

#include <mpi.h>

namespace carpool::mpi {

/// A derived datatype of the user's, read once and kept alive: the user may free his handle, which
/// stands for no other type as long as this one is kept.
class DerivedType {
public:
    /// @pre the type is committed and not predefined
    explicit DerivedType(MPI_Datatype type);

    /// A type of ours with the same layout.
    MPI_Datatype type() const { return kept_.get(); }

    /// What an operator of the user's expects to see: in MPICH and Open MPI the user's handle, of
    /// which MPI itself can only promise an equivalent.
    MPI_Datatype given() const { return given_; }

    const Element& element() const { return element_; }

private:
    Datatype kept_;
    MPI_Datatype given_ = MPI_DATATYPE_NULL;
    Element element_;
};

}  // namespace carpool::mpi
