#pragma once

#include "arguments/tuning.hpp"
#include "mpi/agreement.hpp"
#include "routing/rule.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// What the carpool_* info keys and CARPOOL_* environment variables set.
struct NeighborSettings : arguments::Tuning {
    const routing::Rule* rule = nullptr;       ///< an order, in an info; null for auto
    const routing::Rule* preferred = nullptr;  ///< in the environment: where it applies
    routing::RouteOptions options = {};        ///< carriers of 0 are any
    arguments::Source digits_source = arguments::Source::info;
    bool rearrange = true;  ///< ranks change places in a virtual topology that is overloaded

    static NeighborSettings from_environment();

    /// These settings, with those of an info object over them; MPI_INFO_NULL allowed.
    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    NeighborSettings with(MPI_Info info) const;

    /// What all ranks must agree on for their schedules to match.
    mpi::Claim claim() const;
};

}  // namespace carpool::neighbor
