#pragma once

#include "mpi/agreement.hpp"
#include "routing/digits.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace carpool::arguments {

/// What one key or variable is set to, for all ranks to say alike.
struct ClaimedSetting {
    const char* key;
    const char* where;  ///< it is set, or what of it this is
    std::int64_t value;
    std::string (*text_of)(std::int64_t) = nullptr;  ///< how it reads, unless it is a number
};

/// What is in the info of one rank may be in the environment of another.
inline constexpr const char* in_either = "in info or environment";

/// The bits of a cost.
ClaimedSetting claimed_cost(const char* key, const char* where, double seconds);

/// Adds carpool_digits, which may be any number of numbers.
void add_digits(std::vector<ClaimedSetting>& settings, const char* where,
                const routing::Digits& digits);

/// One claim of them all; of what differs it tells key, place and texts.
mpi::Claim claim_of(std::vector<ClaimedSetting> settings);

}  // namespace carpool::arguments
