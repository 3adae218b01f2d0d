#pragma once

#include "engine/activity.hpp"
#include "mpi/agreement.hpp"

#include <vector>

namespace carpool::neighbor {

/// Waits for an agreement as Agreement::conclude_together() does, and progresses this process'
/// exchanges meanwhile: a rank may come here while another still waits for one of them. @note
/// Collective
inline std::vector<mpi::Claim> concluded(mpi::Agreement& agreement) {
    while (!agreement.test()) engine::Activity::progress();
    return agreement.conclude_together();
}

}  // namespace carpool::neighbor
