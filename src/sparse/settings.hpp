#pragma once

#include "call/tuning.hpp"
#include "mpi/agreement.hpp"
#include "routing/digits.hpp"
#include "sparse/parcel.hpp"
#include "sparse/strategy.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace carpool::sparse {

/// What CARPOOL_* environment variables say of exchanges.
struct Settings : call::Tuning {
    std::optional<Strategy::Kind> kind = {};  ///< whatever pays if there is none
    routing::Digits digits = {};

    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    static Settings from_environment(int ranks);

    /// What all ranks must agree on for their messages to meet.
    mpi::Claim claim() const;

    /// The one that they name, or the cheapest for an exchange that asks as much as this one did.
    Strategy strategy_for(const Demand& demand, int ranks, double ranks_per_core) const;
};

}  // namespace carpool::sparse
