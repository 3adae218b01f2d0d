#pragma once

#include "collectives/kind.hpp"
#include "group/alike.hpp"
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
    static constexpr int default_host_calls = 7;

    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    void read_environment();

    /// What this rank says of host_calls: none where MPI's progress would not take our own along.
    int own_host_calls() const;

    /// How many blocking calls that are alike are MPI's own before one is planned. @pre known
    int host_calls_of(const KnownToAll& call) const;

    /// That the settings are those of the other ranks.
    mpi::Claim claim() const;

    std::map<collectives::Kind, Settings> settings;
    bool begun = false;  ///< the first call has begun to ask; alike on all ranks
    bool known = false;  ///< it has heard
    std::int64_t oversubscription = 0;
    int host_calls = default_host_calls;  ///< the least of all ranks, once known
    Passages passages = {};
};

}  // namespace carpool::group
