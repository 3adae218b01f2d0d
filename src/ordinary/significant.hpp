// SPDX-License-Identifier: MIT
#pragma once

#include "ordinary/arguments.hpp"

namespace carpool::ordinary {

/// The sides whose arguments are significant on a rank; the others may hold garbage.
struct Significant {
    bool send = true;
    bool recv = true;
};

/// MPI 4.1, chapter 6. A side whose buffer is MPI_IN_PLACE is significant here, too.
Significant significant(const CollectiveArguments& arguments, int rank);

}  // namespace carpool::ordinary
