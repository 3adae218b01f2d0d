// SPDX-License-Identifier: MIT
#include "routing/limits.hpp"

#include <charconv>

namespace carpool::routing {
namespace {

/// The text as a number of at least 0.
std::optional<int> count_in(std::string_view text) {
    int value = 0;
    const auto* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end || value < 0) return std::nullopt;
    return value;
}

}  // namespace

std::optional<Limits> limits_from_text(std::string_view text) {
    const auto slash = text.find('/');
    const auto rounds = count_in(text.substr(0, slash));
    if (!rounds) return std::nullopt;
    if (slash == std::string_view::npos) return Limits{*rounds};
    const auto phases = count_in(text.substr(slash + 1));
    if (!phases) return std::nullopt;
    return Limits{*rounds, *phases};
}

std::string text_of(const Limits& limits) {
    auto text = std::to_string(limits.rounds);
    if (limits.phases != Limits::none) text += "/" + std::to_string(limits.phases);
    return text;
}

}  // namespace carpool::routing
