#pragma once

#include "choose/load.hpp"
#include "sparse/parcel.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace carpool::sparse {

/// How parcels of one exchange travel.
struct Strategy {
    enum class Kind { direct, digits, star };

    Kind kind;
    std::vector<int> factors;  ///< of digits
    std::int64_t longest;      ///< parcel that travels with others
    int node = 1;              ///< ranks of a node, where the first digit is the place on it

    friend bool operator==(const Strategy&, const Strategy&) = default;
};

std::string name_of(Strategy::Kind kind);

Strategy direct_strategy();
Strategy digit_strategy(const choose::Machine& machine, std::vector<int> factors);
Strategy star_strategy(const choose::CostModel& model, double cores);

/// As it may be asked for, with the factors of digits: "digits 4x4".
std::string name_of(const Strategy& strategy);

/// All that may pay among so many ranks: straight, in any number of digits, of which the first may
/// be the place on the node, through one rank.
std::vector<Strategy> strategies(const choose::Machine& machine, int ranks);

/// What a strategy asks of the ranks in an exchange that demands so much: the cost equations 7 to
/// 10 of [5], for digits of any factors.
/// @param barrier  do ranks find out by counting barriers that all has been sent?
choose::Load load_of(const Strategy& strategy, const Demand& demand, int ranks,
                     const choose::Machine& machine, bool barrier);

}  // namespace carpool::sparse
