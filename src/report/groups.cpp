#include "report/groups.hpp"

#include "engine/preparation.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace carpool::report {

std::optional<double> Line::saved() const {
    if (record->host_seconds == 0 || key->algorithm == engine::host) return std::nullopt;
    const auto& starts = record->starts;
    return (record->host_seconds - starts.median()) * static_cast<double>(starts.count());
}

/// Records are in the order of their subjects.
std::vector<Group> groups_of(const Records& records) {
    std::vector<Group> groups;
    for (const auto& [key, record] : records) {
        if (record.starts.count() == 0) continue;
        if (groups.empty() || !groups.back().takes(key.subject)) groups.emplace_back();
        groups.back().lines.push_back({&key, &record});
        groups.back().seconds += record.starts.sum();
    }
    for (auto& group : groups)
        std::ranges::stable_sort(group.lines, {}, [](const Line& line) {
            return std::pair(line.key->subject.size_class, -line.record->chosen);
        });
    std::ranges::stable_sort(groups, std::ranges::greater(), &Group::seconds);
    return groups;
}

}  // namespace carpool::report
