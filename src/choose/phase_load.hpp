// SPDX-License-Identifier: MIT
#pragma once

#include "choose/traffic.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace carpool::choose {

/// The messages, copies and sums of one phase. Of several ranks it has the most of each kind, since
/// the phase after it may wait for any of them.
struct PhaseLoad {
    TrafficByLevel sent = {};
    TrafficByLevel received = {};
    Traffic adapter = {};     ///< out of the busiest node, or into it
    std::int64_t copied = 0;  ///< bytes put into messages of several parts, or taken out of them
    std::int64_t copied_blocks = 0;  ///< the same in blocks, where their sizes are not known
    std::int64_t summed = 0;         ///< bytes added to others
    std::int64_t repeats = 1;        ///< phases like this one in a row

    /// Along a ring, the share of the messages that leave a node: a block that goes round does so
    /// in this share of its steps.
    double share_leaving = 1;

    /// Whether all ranks but two only wait, as along a chain.
    bool others_wait = false;

    bool leaves_node() const;
    std::int64_t messages() const;  ///< sent or received, whichever is more
    friend bool operator==(const PhaseLoad&, const PhaseLoad&) = default;
};

/// The message as traffic.
Traffic traffic_of(const schedule::Message& message);

/// What one rank does in each phase of its schedule. A sum, or the copy of a message that has
/// arrived, belongs to the phase of the arrival.
std::vector<PhaseLoad> phases_of(const schedule::Schedule& schedule, int rank,
                                 const Machine& machine);

/// The most of each kind in two phases.
PhaseLoad most(const PhaseLoad& a, const PhaseLoad& b);

/// The same phases, those in a row that are alike as one.
std::vector<PhaseLoad> with_repeats(const std::vector<PhaseLoad>& phases);

}  // namespace carpool::choose
