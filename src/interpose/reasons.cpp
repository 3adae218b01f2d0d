// SPDX-License-Identifier: MIT
#include "interpose/reasons.hpp"

#include "interpose/settings.hpp"
#include "report/records.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace carpool::interpose {
namespace {

/// It names what is taken already, too, and the operations that have this reason.
const std::string& remedy_by_calls() {
    static const std::string text = [] {
        const auto& now = Settings::of_process().words;
        const std::string more(report::HostCalls::placeholder);
        return "try --calls " + (now.empty() || now == "none" ? more : now + "," + more);
    }();
    return text;
}

}  // namespace

Reason reason_of(std::string_view text) {
    using namespace reasons;
    constexpr std::array all{among_first,
                             changing,
                             slower,
                             refused,
                             exchanges,
                             no_topology,
                             few_ranks,
                             unprepared,
                             unrepeated,
                             no_progress,
                             no_progress_for_starts,
                             tool};
    if (text == not_asked.text) return {text, remedy_by_calls()};
    const auto* const found = std::ranges::find(all, text, &Reason::text);
    return found != all.end() ? *found : Reason{text};
}

}  // namespace carpool::interpose
