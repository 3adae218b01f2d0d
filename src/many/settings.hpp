#pragma once

#include "call/tuning.hpp"
#include "many/parcel.hpp"
#include "mpi/agreement.hpp"
#include "routing/digits.hpp"

#include <cstdint>
#include <vector>

namespace carpool::many {

/// How parcels of one exchange travel.
struct Way {
    std::vector<int> factors;  ///< of digits; none for straight ones
    std::int64_t longest;      ///< parcel that travels with others
};

/// What CARPOOL_* environment variables say of exchanges.
struct Settings : call::Tuning {
    enum class Rule { automatic, direct, digits };

    Rule rule = Rule::automatic;
    routing::Digits digits = {};

    /// Throws MPI_ERR_INFO_VALUE for a value that is not understood.
    static Settings from_environment(int ranks);

    /// What all ranks must agree on for their messages to meet.
    mpi::Claim claim() const;

    /// The cheapest way for an exchange that asks of the ranks what this one did ([5] §6): by the
    /// cost equations 7 to 10 of [5], for digits of any factors, and with a phase's cost.
    Way way_for(const Account& account, int ranks) const;

private:
    double cost_of_digits(const std::vector<int>& factors, const Account& account) const;
    double cost_of_direct(const Account& account, int ranks) const;
    Way by_digits(std::vector<int> factors) const;
};

}  // namespace carpool::many
