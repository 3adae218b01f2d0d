// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace carpool::mpi {

/// The number of this node's ranks per core, in hundredths, as far as the launcher has put it into
/// the environment; otherwise 100. Local.
std::int64_t oversubscription();

/// @param oversubscription  of the node with the most ranks per core
inline double ranks_per_core(std::int64_t oversubscription) {
    return static_cast<double>(oversubscription) / 100;
}

}  // namespace carpool::mpi
