#pragma once

#include "mpi/derived_type.hpp"
#include "mpi/shape.hpp"

#include <mpi.h>

#include <memory>
#include <unordered_map>

namespace carpool::mpi {

/// The derived datatypes of the blocks of a call, each read once, and of those of the call before
/// that was read with them.
class Shapes {
public:
    /// Forgets what has not been asked for since the last time.
    void begin_call();

    /// Null if it has not been read.
    std::shared_ptr<const DerivedType> find(MPI_Datatype type);

    /// @pre committed, not predefined, and not found
    std::shared_ptr<const DerivedType> read(MPI_Datatype type);

    /// The same shape for the same count of elements as the last one of that type.
    Shape of(MPI_Count count, const std::shared_ptr<const DerivedType>& type);

private:
    struct Known {
        std::shared_ptr<const DerivedType> type;
        bool asked = true;
        Shape latest = {};
    };

    std::unordered_map<MPI_Datatype, Known> types_;
};

}  // namespace carpool::mpi
