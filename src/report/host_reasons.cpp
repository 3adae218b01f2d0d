// SPDX-License-Identifier: MIT
#include "report/host_reasons.hpp"

#include <algorithm>
#include <functional>

namespace carpool::report {

double HostReason::charged() const {
    double sum = 0;
    for (const auto& [operation, calls] : operations) sum += calls.charged;
    return sum;
}

std::string HostReason::remedy() const {
    std::string text = operations.front().second.remedy;
    const auto place = text.find(HostCalls::placeholder);
    if (place == std::string::npos) return text;
    std::string names;
    for (const auto& [operation, calls] : operations)
        names += (names.empty() ? "" : ",") + operation;
    return text.replace(place, HostCalls::placeholder.size(), names);
}

/// The calls are in the order of their reasons.
std::vector<HostReason> host_reasons_of(const HostCallRecords& calls) {
    std::vector<HostReason> reasons;
    for (const auto& [key, one] : calls) {
        if (reasons.empty() || reasons.back().why != key.why) reasons.push_back({key.why});
        reasons.back().operations.emplace_back(key.operation, one);
    }
    for (auto& reason : reasons)
        std::ranges::stable_sort(reason.operations, std::ranges::greater(),
                                 [](const auto& one) { return one.second.charged; });
    std::ranges::stable_sort(reasons, std::ranges::greater(), &HostReason::charged);
    return reasons;
}

}  // namespace carpool::report
