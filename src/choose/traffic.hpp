// SPDX-License-Identifier: MIT
#pragma once

#include "choose/machine.hpp"

#include <array>
#include <cstdint>

namespace carpool::choose {

/// Messages of one rank, sent or received.
struct Traffic {
    std::int64_t messages = 0;
    std::int64_t blocks = 0;  ///< in the messages
    std::int64_t bytes = 0;   ///< in the blocks, where their sizes are known

    Traffic& operator+=(const Traffic& more);
    Traffic& operator-=(const Traffic& part);
    friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Traffic within the node, and to other nodes.
using TrafficByLevel = std::array<Traffic, 2>;

/// The larger of each pair of numbers.
Traffic most(const Traffic& a, const Traffic& b);

/// The traffic of the busier of two ranks: to other nodes the larger numbers, within the node the
/// rest of the larger numbers of both levels together. Thus the sum is what one rank has, though
/// one rank may have most messages within its node and another rank most to other nodes. This is an
/// upper bound where messages to other nodes cost more.
TrafficByLevel most(const TrafficByLevel& a, const TrafficByLevel& b);

/// The traffic at both levels together.
Traffic of_both_levels(const TrafficByLevel& traffic);

/// The levels of traffic of which `far` leaves the node.
TrafficByLevel by_level(const Traffic& all, const Traffic& far);

}  // namespace carpool::choose
