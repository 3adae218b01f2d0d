#pragma once

#include "call/tuning.hpp"
#include "mpi/agreement.hpp"
#include "routing/rule.hpp"

#include <mpi.h>

namespace carpool::neighbor {

/// What the carpool_* info keys and CARPOOL_* environment variables set.
struct Settings : call::Tuning {
    const routing::Rule* rule = nullptr;  ///< null for auto
    routing::RouteOptions options = {};

    static Settings from_environment();

    /// These settings, with those of an info object over them; MPI_INFO_NULL allowed.
    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    Settings with(MPI_Info info) const;

    /// What all ranks must agree on for their schedules to match.
    mpi::Claim claim() const;
};

}  // namespace carpool::neighbor
