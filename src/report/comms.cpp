// SPDX-License-Identifier: MIT
#include "report/comms.hpp"

#include <utility>

namespace carpool::report {

std::string ordinal(int number) {
    const bool teen = number / 10 % 10 == 1;
    const int last = teen ? 0 : number % 10;
    const char* const ending = last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
    return std::to_string(number) + ending;
}

int Comms::add(CommLabel label) {
    int kind = static_cast<int>(entries_.size());
    int apart = 0;
    for (const auto& entry : entries_) {
        if (entry.label.several != label.several || entry.label.ranks != label.ranks) continue;
        if (entry.is_shared) return static_cast<int>(&entry - entries_.data());
        kind = entry.kind;
        ++apart;
    }
    if (label.made.empty() && apart > 0)
        label.made = "the " + ordinal(apart + 1) + " of them that was used";
    entries_.push_back({std::move(label), kind, apart == most_apart});
    return static_cast<int>(entries_.size()) - 1;
}

}  // namespace carpool::report
