// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/tuning.hpp"
#include "collectives/algorithm.hpp"
#include "mpi/comm/agreement.hpp"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace carpool::ordinary {

/// The settings of one collective in info keys and environment variables.
struct CollectiveSettings : arguments::Tuning {
    const collectives::Algorithm* algorithm = nullptr;  ///< required; null for auto
    const collectives::Algorithm* preferred = nullptr;  ///< by the environment, where it applies
    routing::Digits digits = {};
    std::int64_t segment = 1 << 16;

    /// Reads the settings of a kind of collective; MPI_INFO_NULL is allowed. Throws
    /// MPI_ERR_INFO_VALUE for a value that is not understood.
    static CollectiveSettings of(collectives::Kind kind, MPI_Info info);

    /// Chooses the preferred algorithm, if it applies to the problem and the user asks for no
    /// other.
    void prefer_for(const collectives::Problem& problem);

    /// The settings that must be the same on all ranks, so that their schedules match.
    std::vector<mpi::Claim> claims() const;
};

}  // namespace carpool::ordinary
