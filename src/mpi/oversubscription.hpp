#pragma once

#include <cstdint>

namespace carpool::mpi {

/// How many of this node's ranks share one of its cores, in hundredths; as far as the launcher has
/// told it in the environment, else one. Local.
std::int64_t oversubscription();

/// @param oversubscription  of the node with most ranks per core
inline double ranks_per_core(std::int64_t oversubscription) {
    return static_cast<double>(oversubscription) / 100;
}

}  // namespace carpool::mpi
