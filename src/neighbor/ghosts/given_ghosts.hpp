// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace carpool::neighbor {

/// The arguments of Carpool_Ghosts_create as given.
struct GhostsByOwner {
    MPI_Count owned;
    MPI_Count ghosts;
    const int* owners;
    const MPI_Count* indices;
};

/// The arguments of Carpool_Ghosts_create_ranges as given: ghosts by their global numbers.
struct GhostsByNumber {
    const MPI_Count* ranges;
    MPI_Count ghosts;
    const MPI_Count* numbers;
};

/// What a rank gives to make a map of ghosts, read and checked.
struct GivenGhosts {
    std::int64_t owned = 0;
    std::vector<int> owners = {};
    std::vector<std::int64_t> indices = {};  ///< per ghost, on its owner
    std::vector<std::int64_t> ranges = {};   ///< the same on all ranks; empty if there are none
};

/// Reads the arguments. Throws an Error that names an argument that is wrong.
GivenGhosts read_ghosts(const GhostsByOwner& arguments, int ranks);
GivenGhosts read_ghosts(const GhostsByNumber& arguments, int rank, int ranks);

}  // namespace carpool::neighbor
