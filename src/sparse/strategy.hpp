#pragma once

#include "choose/cost_model.hpp"
#include "sparse/parcel.hpp"

#include <cstdint>
#include <vector>

namespace carpool::sparse {

/// How parcels of one exchange travel.
struct Strategy {
    enum class Kind { direct, digits, star };

    Kind kind;
    std::vector<int> factors;  ///< of digits
    std::int64_t longest;      ///< parcel that travels with others

    friend bool operator==(const Strategy&, const Strategy&) = default;
};

Strategy direct_strategy();
Strategy digit_strategy(const choose::CostModel& model, std::vector<int> factors);
Strategy star_strategy(const choose::CostModel& model, double cores);

/// The cheapest for an exchange that asks of the ranks what this one did ([5] §6): by the cost
/// equations 7 to 10 of [5], for digits of any factors, and with a phase's cost. Ranks that share a
/// core take turns for each message and each phase.
Strategy cheapest_strategy(const choose::CostModel& model, const Demand& demand, int ranks,
                           double ranks_per_core);

}  // namespace carpool::sparse
