// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/derived_type.hpp"
#include "mpi/types/shape.hpp"

#include <mpi.h>

#include <memory>
#include <unordered_map>

namespace carpool::mpi {

/// The derived datatypes of the latest calls; each is read once.
class KnownTypes {
public:
    /// The type if it has been read for one of the latest calls, else null.
    std::shared_ptr<const DerivedType> find(MPI_Datatype type);

    /// Reads a type, and remembers it if that keeps its handle from being reused. @pre The type is
    /// committed, not predefined, and not found by find()
    std::shared_ptr<const DerivedType> read(MPI_Datatype type);

    /// The shape of that many elements of a type; equal counts share one layout.
    Shape shape_of(MPI_Count count, const std::shared_ptr<const DerivedType>& type);

private:
    struct Known {
        std::shared_ptr<const DerivedType> type;
        bool asked = true;                                 // since room was made last
        std::unordered_map<MPI_Count, Shape> shapes = {};  // of the latest counts
    };

    void make_room();

    std::unordered_map<MPI_Datatype, Known> types_;
};

}  // namespace carpool::mpi
