// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/agreement.hpp"
#include "routing/digits.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace carpool::arguments {

/// The value of one info key or environment variable, which must be the same on all ranks.
struct ClaimedSetting {
    const char* key;
    const char* where;  ///< where the key is set, or which part of its value this is
    std::int64_t value;
    std::string (*text_of)(std::int64_t) = nullptr;  ///< null if it reads as a number
};

/// One rank may set a key in the info, and another rank in the environment.
inline constexpr const char* in_either = "in info or environment";

/// The claim of a cost, whose value is the bits of the number.
ClaimedSetting claimed_cost(const char* key, const char* where, double seconds);

/// Adds carpool_digits, which has one value or several.
void add_digits(std::vector<ClaimedSetting>& settings, const char* where,
                const routing::Digits& digits);

/// Makes one claim of all settings. If one differs, the error text names key, place and values.
mpi::Claim claim_of(std::vector<ClaimedSetting> settings);

}  // namespace carpool::arguments
