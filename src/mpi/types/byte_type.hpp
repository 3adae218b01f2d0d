// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/handle.hpp"
#include "mpi/types/shape.hpp"

namespace carpool::mpi {

/// Makes a datatype, not committed, of the same bytes in the same order. It consists of MPI_BYTE if
/// the layout of the shape's own type can be read: a rank forwards blocks as bytes, and MPICH,
/// which cuts long messages anywhere, refuses a piece that ends within an element of the receiver's
/// datatype.
Datatype byte_type(const Shape& shape);

}  // namespace carpool::mpi
