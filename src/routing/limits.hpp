#pragma once

#include <compare>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace carpool::routing {

/// Which of several plans of a rule is meant: the one of least volume among those that take no more
/// rounds and phases. Where there is none, the one of fewest rounds.
struct Limits {
    static constexpr int none = std::numeric_limits<int>::max();

    int rounds = none;
    int phases = none;  ///< that wait for each other, Plan::least_phases

    friend auto operator<=>(const Limits&, const Limits&) = default;
};

/// "10" rounds, or "10/2": in at most 2 phases. None if it is neither.
std::optional<Limits> limits_from_text(std::string_view text);

std::string text_of(const Limits& limits);

}  // namespace carpool::routing
