// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace carpool::routing {

/// Selects one of several plans of a rule: the plan of least volume among those that take no more
/// rounds and phases than given or, if there is none, the plan with the fewest rounds.
struct Limits {
    static constexpr int none = std::numeric_limits<int>::max();

    int rounds = none;
    int phases = none;  ///< phases that wait for each other, Plan::least_phases

    friend auto operator<=>(const Limits&, const Limits&) = default;
};

/// Reads "10" (rounds) or "10/2" (rounds in at most 2 phases); returns nothing if the text is
/// neither.
std::optional<Limits> limits_from_text(std::string_view text);

std::string text_of(const Limits& limits);

}  // namespace carpool::routing
