#pragma once

#include "mpi/handle.hpp"
#include "mpi/shape.hpp"

namespace carpool::mpi {

/// A datatype of the same bytes in the same order, not committed. It is of bytes where the shape's
/// own can be read: what a rank passes on leaves it as bytes, and MPICH, which cuts long messages
/// anywhere, refuses a piece that ends amid an element of what it receives into.
Datatype byte_type(const Shape& shape);

}  // namespace carpool::mpi
