// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/kind.hpp"
#include "mpi/comm/agreement.hpp"
#include "ordinary/settings.hpp"
#include "ordinary/unsized_algorithm.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace carpool::ordinary {

/// What the environment sets for blocking and nonblocking ordinary collectives.
struct EnvironmentSettings {
    /// Reads the settings once, and again if the environment has changed. Throws MPI_ERR_INFO_VALUE
    /// for a value that is not understood.
    static std::shared_ptr<const EnvironmentSettings> read();

    std::map<collectives::Kind, CollectiveSettings> of;
    mpi::Claim claim;  ///< the claim that all ranks have the same settings
};

/// The settings of a communicator: the first call reads them from the environment, and agrees on
/// them with all ranks.
struct CommSettings {
    std::shared_ptr<const EnvironmentSettings> settings = {};  ///< null before the first call
    bool begun = false;  ///< the first call has begun to vote; the same on all ranks
    bool known = false;  ///< the vote has ended
    std::int64_t oversubscription = 0;
    UnsizedAlgorithms unsized = {};
};

}  // namespace carpool::ordinary
