// SPDX-License-Identifier: MIT
#include "verdict.hpp"

namespace cli {

boost::json::object verdict(std::string_view name,
                            std::span<const carpool::schedule::Schedule> schedules,
                            const carpool::schedule::Postcondition& expected,
                            carpool::schedule::SumOrder order) {
    boost::json::array complaints;
    for (const auto& text : carpool::schedule::verify(schedules, expected, order))
        complaints.emplace_back(text);
    return {{"name", name}, {"complaints", complaints}};
}

}  // namespace cli
