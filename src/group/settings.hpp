#pragma once

#include "call/tuning.hpp"
#include "collectives/algorithm.hpp"
#include "mpi/agreement.hpp"

#include <mpi.h>

#include <cstdint>

namespace carpool::group {

/// What info keys and environment variables say of one collective.
struct Settings : call::Tuning {
    const collectives::Algorithm* algorithm = nullptr;  ///< null for auto
    bool measure = false;
    std::int64_t segment = 1 << 16;

    /// MPI_INFO_NULL allowed. Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    static Settings of(collectives::Kind kind, MPI_Info info);

    /// What all ranks must agree on for their schedules to match.
    mpi::Claim claim() const;
};

}  // namespace carpool::group
