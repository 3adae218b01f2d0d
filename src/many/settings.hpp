#pragma once

#include "call/tuning.hpp"
#include "many/parcel.hpp"
#include "mpi/agreement.hpp"
#include "routing/digits.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace carpool::many {

/// How parcels of one exchange travel.
struct Way {
    enum class Kind { direct, digits, star };

    Kind kind;
    std::vector<int> factors;  ///< of digits
    std::int64_t longest;      ///< parcel that travels with others

    friend bool operator==(const Way&, const Way&) = default;
};

/// What CARPOOL_* environment variables say of exchanges.
struct Settings : call::Tuning {
    std::optional<Way::Kind> kind = {};  ///< whatever pays if there is none
    routing::Digits digits = {};

    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    static Settings from_environment(int ranks);

    /// What all ranks must agree on for their messages to meet.
    mpi::Claim claim() const;

    /// The cheapest way for an exchange that asks of the ranks what this one did ([5] §6): by the
    /// cost equations 7 to 10 of [5], for digits of any factors, and with a phase's cost. Ranks
    /// that share a core take turns for each message and each phase.
    Way way_for(const Account& account, int ranks, double ranks_per_core) const;
};

}  // namespace carpool::many
