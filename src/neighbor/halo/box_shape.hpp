// SPDX-License-Identifier: MIT
#pragma once

#include "halo/box.hpp"
#include "mpi/types/shape.hpp"
#include "neighbor/halo/halo_arguments.hpp"

#include <vector>

namespace carpool::neighbor {

/// Describes boxes of cells in the user's arrays as MPI datatypes: the boxes of all fields, one
/// field after the other.
class BoxShape {
public:
    /// @pre the arguments have been checked, and outlive this
    BoxShape(const HaloArguments& arguments, int dimensions);

    /// One block with these boxes of every field, relative to the first field; empty if there are
    /// none.
    mpi::Block block(const std::vector<halo::Box>& boxes) const;

private:
    mpi::Datatype subarray(const halo::Box& box) const;
    mpi::Datatype strided(const halo::Box& box) const;

    const HaloArguments& arguments_;
    device::Device* device_;
    std::vector<int> sizes_;  // extents of an array with its halo
};

}  // namespace carpool::neighbor
