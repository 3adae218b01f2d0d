// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"
#include "sparse/parcel.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace carpool::sparse {

/// How the parcels of one exchange are sent.
struct Strategy {
    enum class Kind { direct, digits, star };

    Kind kind;
    std::vector<int> factors;  ///< for digits
    std::int64_t longest;      ///< bytes of a parcel that is sent with others
    int node = 1;              ///< ranks of a node, if the first digit is the place on the node

    friend bool operator==(const Strategy&, const Strategy&) = default;
};

std::string name_of(Strategy::Kind kind);

Strategy direct_strategy();
Strategy digit_strategy(const choose::Machine& machine, std::vector<int> factors);
Strategy star_strategy(const choose::CostModel& model, double cores);

/// The name with which it may be asked for, with the factors of digits: "digits 4x4".
std::string name_of(const Strategy& strategy);

/// All strategies that may be worthwhile for so many ranks: straight; any number of digits, the
/// first of which may be the place on the node; through one rank.
std::vector<Strategy> strategies(const choose::Machine& machine, int ranks);

/// The load of the busiest rank in an exchange of this demand: the cost equations 7 to 10 of [5],
/// for digits of any factors.
/// @param barrier  whether ranks find out by counting barriers that all has been sent
choose::Load load_of(const Strategy& strategy, const Demand& demand, int ranks,
                     const choose::Machine& machine, bool barrier);

}  // namespace carpool::sparse
