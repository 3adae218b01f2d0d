// SPDX-License-Identifier: MIT
#include "shared/node_name.hpp"

#include <algorithm>
#include <unordered_set>

namespace carpool::shared {

std::uint64_t node_name(const ProcessAddress& address) {
    return address.node << 1 | (address.process != 0 ? 1 : 0);
}

bool any_two_share(std::span<const std::uint64_t> names) {
    std::unordered_set<std::uint64_t> nodes;
    return std::ranges::any_of(names, [&](std::uint64_t name) {
        return tells_of_memory(name) && !nodes.insert(node_in(name)).second;
    });
}

}  // namespace carpool::shared
