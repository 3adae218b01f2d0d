#pragma once

#include "arguments/tuning.hpp"
#include "collectives/algorithm.hpp"
#include "mpi/agreement.hpp"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace carpool::group {

/// What info keys and environment variables say of one collective.
struct CollectiveSettings : arguments::Tuning {
    const collectives::Algorithm* algorithm = nullptr;  ///< null for auto
    const collectives::Algorithm* preferred = nullptr;  ///< in the environment: where it applies
    routing::Digits digits = {};
    std::int64_t segment = 1 << 16;

    /// MPI_INFO_NULL allowed. Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    static CollectiveSettings of(collectives::Kind kind, MPI_Info info);

    /// Takes what is preferred, unless an algorithm is asked for or the problem is not for it.
    void prefer_for(const collectives::Problem& problem);

    /// What all ranks must agree on for their schedules to match.
    std::vector<mpi::Claim> claims() const;
};

}  // namespace carpool::group
