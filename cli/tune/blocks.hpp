// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

namespace tune {

/// Seconds per byte, of the slowest rank while all ranks are at work.
struct BlockCosts {
    double copy_per_byte;  ///< to gather short blocks into a message, or to scatter them
    double sum_per_byte;   ///< to add numbers to others
};

/// @note Collective.
BlockCosts block_costs(MPI_Comm comm);

}  // namespace tune
