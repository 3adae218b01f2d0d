// SPDX-License-Identifier: MIT
#include "base/who_waits.hpp"

#include <algorithm>
#include <cstddef>

namespace carpool::base {
namespace {

/// For example "ranks 1, 2 and 5", or "ranks 1, 2, 3, 4, 5, 6, 7, 8 and 92 others".
std::string ranks_text(const std::vector<int>& ranks) {
    constexpr std::size_t most_named = 8;
    if (ranks.empty()) return "other ranks";
    if (ranks.size() == 1) return "rank " + std::to_string(ranks.front());
    const bool all = ranks.size() <= most_named + 1;
    const auto named = all ? ranks.size() - 1 : most_named;
    std::string text = "ranks ";
    for (std::size_t i = 0; i < named; ++i) text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
    const auto last =
        all ? std::to_string(ranks.back()) : std::to_string(ranks.size() - most_named) + " others";
    return text + " and " + last;
}

std::string call_text(std::int64_t number) { return "call " + std::to_string(number); }

}  // namespace

std::string who_waits(const UnderWay& what) {
    std::string text = "rank " + std::to_string(what.rank) + " waits for " +
                       ranks_text(what.awaited) + " in " + what.function;
    if (what.call) text += ", " + call_text(*what.call);
    if (!what.comm.empty()) text += " on communicator " + what.comm;
    for (const auto& [source, call, operation] : what.unexpected)
        text += "; rank " + std::to_string(source) + " is in " + call_text(call) + ", " + operation;
    if (what.is_first) text += " (the first that Carpool makes there: is it loaded on all ranks?)";
    return text;
}

}  // namespace carpool::base
