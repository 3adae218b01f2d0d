#pragma once

#include "collectives/kind.hpp"
#include "group/settings.hpp"
#include "group/unsized_algorithm.hpp"
#include "mpi/agreement.hpp"

#include <cstdint>
#include <map>
#include <memory>

namespace carpool::group {

/// What the environment says of ordinary collectives that end once.
struct EnvironmentSettings {
    /// Read once, and again where the environment has changed. Throws MPI_ERR_INFO_VALUE for a
    /// value that is not understood.
    static std::shared_ptr<const EnvironmentSettings> read();

    std::map<collectives::Kind, CollectiveSettings> of;
    mpi::Claim claim;  ///< that they are those of the other ranks
};

/// The settings of a communicator: what the first call finds in the environment, and asks all ranks
/// about.
struct CommSettings {
    std::shared_ptr<const EnvironmentSettings> settings = {};  ///< null before the first call
    bool begun = false;  ///< the first call has begun to ask; alike on all ranks
    bool known = false;  ///< it has heard
    std::int64_t oversubscription = 0;
    UnsizedAlgorithms unsized = {};
};

}  // namespace carpool::group
