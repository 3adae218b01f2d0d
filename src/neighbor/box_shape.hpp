#pragma once

#include "halo/box.hpp"
#include "mpi/shape.hpp"
#include "neighbor/halo_arguments.hpp"

#include <vector>

namespace carpool::neighbor {

/// Describes boxes of cells of a user's arrays to MPI: of all fields, one after the other.
class BoxShape {
public:
    /// @pre the arguments have been checked, and outlive this
    BoxShape(const HaloArguments& arguments, int dimensions);

    /// The same boxes of every field as one block, relative to the first field; empty for none.
    mpi::Block block(const std::vector<halo::Box>& boxes) const;

private:
    mpi::Datatype subarray(const halo::Box& box) const;
    mpi::Datatype strided(const halo::Box& box) const;

    const HaloArguments& arguments_;
    std::vector<int> sizes_;  // of an array with its halo
};

}  // namespace carpool::neighbor
