#pragma once

#include "mpi/derived_type.hpp"
#include "mpi/shape.hpp"

#include <mpi.h>

#include <memory>
#include <unordered_map>

namespace carpool::mpi {

/// The derived datatypes of a call's blocks and of the call before; each is read once.
class KnownTypes {
public:
    /// Forgets the types that have not been looked up since this was last called.
    void begin_call();

    /// The type if it has been read for this call or the last one, else null.
    std::shared_ptr<const DerivedType> find(MPI_Datatype type);

    /// Reads a type, and remembers it if that keeps its handle from being reused. @pre The type is
    /// committed, not predefined, and not found by find()
    std::shared_ptr<const DerivedType> read(MPI_Datatype type);

    /// The shape of that many elements of a type; equal counts share one layout.
    Shape shape_of(MPI_Count count, const std::shared_ptr<const DerivedType>& type);

private:
    struct Known {
        std::shared_ptr<const DerivedType> type;
        bool asked = true;
        std::unordered_map<MPI_Count, Shape> shapes = {};  // of this call
    };

    std::unordered_map<MPI_Datatype, Known> types_;
};

}  // namespace carpool::mpi
