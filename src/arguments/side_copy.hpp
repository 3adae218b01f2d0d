// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/side.hpp"

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace carpool::arguments {

/// A copy of a side of a call with the user's arrays, to find out whether a later call says the
/// same: that takes far less time than reading its blocks.
class SideCopy {
public:
    /// Makes room for a copy of such a side, whose arrays may be gone.
    void reserve(const Side& side, int blocks);

    /// Copies a side, into the memory of the one before. @pre The side lacks no array
    void take(const Side& side, int blocks);

    /// Whether the side of a later call, of as many blocks, says the same. @pre It lacks no array
    bool equals(const Side& side) const;

private:
    Side side_;  // its arrays may be gone
    int blocks_ = 0;
    std::vector<std::byte> counts_;
    std::vector<std::byte> displacements_;
    std::vector<MPI_Datatype> types_;
};

}  // namespace carpool::arguments
