// SPDX-License-Identifier: MIT
#include "collectives/parts.hpp"

#include <iterator>

namespace carpool::collectives {

std::vector<Parts> one_by_one(const Parts& parts) {
    std::vector<Parts> lists;
    for (const auto& part : parts) lists.push_back({part});
    return lists;
}

std::vector<Parts> in_lists_like(const Parts& parts, const std::vector<Parts>& like) {
    std::vector<Parts> lists;
    auto next = parts.begin();
    for (const auto& of : like) {
        const auto end = parts.empty() ? next : next + std::ssize(of);
        lists.emplace_back(next, end);
        next = end;
    }
    return lists;
}

std::vector<Parts> in_equal_lists(const Parts& parts, int lists) {
    const auto length = std::ssize(parts) / lists;
    std::vector<Parts> result;
    for (int i = 0; i < lists; ++i)
        result.emplace_back(parts.begin() + i * length, parts.begin() + (i + 1) * length);
    return result;
}

void append(Parts& to, const Parts& more) { to.insert(to.end(), more.begin(), more.end()); }

Parts joined(const std::vector<Parts>& lists) {
    Parts all;
    for (const auto& parts : lists) append(all, parts);
    return all;
}

}  // namespace carpool::collectives
