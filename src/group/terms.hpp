#pragma once

#include "collectives/kind.hpp"
#include "group/passage.hpp"
#include "group/settings.hpp"
#include "mpi/agreement.hpp"

#include <cstdint>
#include <map>
#include <memory>

namespace carpool::group {

/// The settings of ordinary collectives that end once on a communicator: what the first call finds
/// in the environment, and asks all ranks about.
struct Terms {
    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    void read_environment() {
        for (const auto kind : collectives::kinds())
            settings.emplace(kind, Settings::of(kind, MPI_INFO_NULL));
    }

    /// That the settings are those of the other ranks.
    mpi::Claim claim() const;

    std::map<collectives::Kind, Settings> settings;
    bool begun = false;  ///< the first call has begun to ask; alike on all ranks
    bool known = false;  ///< it has heard
    std::int64_t oversubscription = 0;
    Passages passages = {};
};

}  // namespace carpool::group
