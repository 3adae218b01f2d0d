#pragma once

#include "choose/cost_model.hpp"
#include "many/parcel.hpp"

#include <cstdint>
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

Way straight_way();
Way digit_way(const choose::CostModel& model, std::vector<int> factors);
Way star_way(const choose::CostModel& model, double cores);

/// The cheapest for an exchange that asks of the ranks what this one did ([5] §6): by the cost
/// equations 7 to 10 of [5], for digits of any factors, and with a phase's cost. Ranks that share a
/// core take turns for each message and each phase.
Way cheapest_way(const choose::CostModel& model, const Account& account, int ranks,
                 double ranks_per_core);

}  // namespace carpool::many
