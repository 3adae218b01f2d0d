// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/tuning.hpp"
#include "mpi/comm/agreement.hpp"
#include "routing/rule.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// What the carpool_* info keys and CARPOOL_* environment variables set.
struct NeighborSettings : arguments::Tuning {
    const routing::Rule* rule = nullptr;       ///< required by an info; null for auto
    const routing::Rule* preferred = nullptr;  ///< by the environment, where it applies
    routing::RouteOptions options = {};        ///< 0 carriers stand for any number
    arguments::Source digits_source = arguments::Source::info;
    bool rearrange = true;  ///< permute ranks in a virtual topology that is overloaded

    static NeighborSettings from_environment();

    /// These settings, overridden by those of an info object; MPI_INFO_NULL is allowed. Throws
    /// MPI_ERR_INFO_VALUE for a value that is not understood.
    NeighborSettings with(MPI_Info info) const;

    /// The settings that must be the same on all ranks, so that their schedules match.
    mpi::Claim claim() const;
};

}  // namespace carpool::neighbor
