// SPDX-License-Identifier: MIT
#pragma once

#include "arguments/tuning.hpp"
#include "mpi/comm/agreement.hpp"
#include "routing/digits.hpp"
#include "sparse/strategy.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace carpool::sparse {

/// The CARPOOL_* environment variables of exchanges.
struct SparseSettings : arguments::Tuning {
    std::optional<Strategy::Kind> kind = {};  ///< nothing: chosen by cost
    routing::Digits digits = {};

    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    static SparseSettings from_environment(int ranks);

    /// Which ranks check for mistakes. An invalid value is refused by from_environment().
    static arguments::Check check_in_environment();

    /// The settings that must be equal on all ranks for their messages to match.
    mpi::Claim claim() const;

    /// The strategy that the settings name, or all that may be worthwhile.
    std::vector<Strategy> strategies(const choose::Machine& machine, int ranks) const;
};

}  // namespace carpool::sparse
