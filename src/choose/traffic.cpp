// SPDX-License-Identifier: MIT
#include "choose/traffic.hpp"

#include <algorithm>

namespace carpool::choose {

Traffic most(const Traffic& a, const Traffic& b) {
    return {std::max(a.messages, b.messages), std::max(a.blocks, b.blocks),
            std::max(a.bytes, b.bytes)};
}

TrafficByLevel most(const TrafficByLevel& a, const TrafficByLevel& b) {
    constexpr auto network = index_of(Level::network);
    return by_level(most(of_both_levels(a), of_both_levels(b)), most(a[network], b[network]));
}

TrafficByLevel by_level(const Traffic& all, const Traffic& far) {
    auto near = all;
    return {near -= far, far};
}

Traffic of_both_levels(const TrafficByLevel& traffic) {
    auto sum = traffic[0];
    return sum += traffic[1];
}

Traffic& Traffic::operator+=(const Traffic& more) {
    messages += more.messages;
    blocks += more.blocks;
    bytes += more.bytes;
    return *this;
}

Traffic& Traffic::operator-=(const Traffic& part) {
    messages -= part.messages;
    blocks -= part.blocks;
    bytes -= part.bytes;
    return *this;
}

}  // namespace carpool::choose
