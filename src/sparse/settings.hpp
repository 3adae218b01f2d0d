#pragma once

#include "arguments/tuning.hpp"
#include "mpi/agreement.hpp"
#include "routing/digits.hpp"
#include "sparse/strategy.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace carpool::sparse {

/// What CARPOOL_* environment variables say of exchanges.
struct SparseSettings : arguments::Tuning {
    std::optional<Strategy::Kind> kind = {};  ///< whatever pays if there is none
    routing::Digits digits = {};

    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    static SparseSettings from_environment(int ranks);

    /// Who finds mistakes. What is not understood from_environment() refuses.
    static arguments::Check check_in_environment();

    /// What all ranks must agree on for their messages to meet.
    mpi::Claim claim() const;

    /// The one that they name, or all that may pay.
    std::vector<Strategy> strategies(const choose::Machine& machine, int ranks) const;
};

}  // namespace carpool::sparse
