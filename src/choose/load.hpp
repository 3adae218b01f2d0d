// SPDX-License-Identifier: MIT
#pragma once

#include "choose/phase_load.hpp"
#include "routing/itinerary.hpp"

#include <cstdint>
#include <vector>

namespace carpool::choose {

/// Seconds to put a message of parcels together and to take it apart.
inline constexpr double assembly_per_message = 3e-6;

/// Seconds per byte to copy blocks that a rank forwards, where nothing else was measured.
inline constexpr double usual_copy_per_byte = 1e-9;

/// The factor by which costs may be wrong. Between candidates that are closer, a measurement
/// decides.
inline constexpr int most_wrong = 4;

/// The load of a plan on the machine: of each kind the most that any rank has to do.
struct Load {
    TrafficByLevel traffic = {};   ///< by level; sent or received, whichever is more; see most()
    TrafficByLevel sent = {};      ///< the most that a rank sends, if told apart
    TrafficByLevel received = {};  ///< and receives
    std::int64_t phases = 0;
    double mean_messages = 0;        ///< sent by a rank on average, where it is counted
    std::int64_t summed = 0;         ///< bytes that a rank adds to others, if counted
    std::int64_t temp_bytes = 0;     ///< bytes of blocks that a rank holds on their way
    std::int64_t copied = 0;         ///< bytes that the busiest rank copies, if counted
    std::int64_t copied_blocks = 0;  ///< the same in blocks, where their sizes are not known
    std::int64_t copied_by_all =
        0;                 ///< bytes that even the least busy rank copies, of those looked at
    double assembled = 0;  ///< messages that a core puts together on their way
    /// Phases in which nothing leaves a node, where these are counted.
    std::int64_t phases_on_node = 0;
    Traffic adapter = {};  ///< out of the busiest node, or into it, where it is counted
    /// What is on the longest way through the phases, where it is known; else the traffic is taken
    /// to be spread evenly over the phases.
    std::vector<PhaseLoad> path = {};

    Traffic& at(Level level) { return traffic[index_of(level)]; }
    const Traffic& at(Level level) const { return traffic[index_of(level)]; }

    std::int64_t messages() const { return traffic[0].messages + traffic[1].messages; }
    std::int64_t blocks() const { return traffic[0].blocks + traffic[1].blocks; }
    std::int64_t phases_between_nodes() const { return phases - phases_on_node; }

    std::int64_t bytes() const { return traffic[0].bytes + traffic[1].bytes; }

    /// Takes this path, its phases, and what passes the adapters on it.
    void go_along(std::vector<PhaseLoad> longest);

    /// The same load with this many bytes in every block, if sizes were not known.
    /// @pre it has no path, as loads on graphs
    Load with_blocks_of(std::int64_t block_bytes) const;

    /// The same load where each of its bytes stands for so many.
    /// @pre it has no path
    Load times(std::int64_t factor) const;

    /// The same load with additional messages, all of them in the first phase.
    /// @param widest  the level of the ranks farthest from each other, at which these are counted
    Load with_straight(const Traffic& straight, Level widest) const;

    friend bool operator==(const Load&, const Load&) = default;
};

/// The load of the busier of two ranks: the larger of each pair of numbers, and of traffic what
/// most() has of both. It has no path.
Load most(const Load& a, const Load& b);

/// Bytes of the messages that a rank sends and receives, message by message.
struct MessageBytes {
    std::vector<std::int64_t> sent;
    std::vector<std::int64_t> received;
};

/// The load of one rank's part in the routes of a graph.
/// @param bytes  of its messages; null for those of the blocks in them
Load load_of(const routing::Itinerary& itinerary, int rank, const Machine& machine,
             const MessageBytes* bytes = nullptr);

/// The load of a rank that does this in its phases. It has no path.
Load load_of(const std::vector<PhaseLoad>& phases);

/// The load of one rank's schedule.
Load load_of(const schedule::Schedule& schedule, int rank, const Machine& machine);

/// The load of a schedule whose phases_of() are known.
Load load_of(const schedule::Schedule& schedule, const std::vector<PhaseLoad>& phases);

/// The traffic that one rank sends. @param nodes  null for a single node
TrafficByLevel sent_by(const schedule::Schedule& schedule, int rank, const topology::Nodes* nodes);

/// The traffic that one rank receives. @param nodes  null for a single node
TrafficByLevel received_by(const schedule::Schedule& schedule, int rank,
                           const topology::Nodes* nodes);

/// The longest block that is worth combining with others, if each then takes this many more hops:
/// for a longer block these cost more than a message of its own.
std::int64_t longest_worth_combining(const CostModel& model, double more_hops);

/// The longest block that travels in headed messages. Each call that is kept holds memory for such
/// blocks, so their length is bounded.
/// @param blocks    how many the busiest rank sends, counted at each hop
/// @param straight  the same if each takes one hop
std::int64_t longest_riding(const CostModel& model, std::int64_t blocks, std::int64_t straight);

/// How many times alpha is paid on the path: once for every `ports` messages of a phase.
std::int64_t starts(const Load& load, std::int64_t ports);

/// The cost in seconds. Phase by phase, it is the latency; the work of the busiest rank, which is
/// what it sends, receives, copies and adds, and the bytes within its node; and the time that
/// bytes take to leave the rank and to pass the adapter of the node. With several messages in a
/// phase the work and the transfer overlap. Where ranks share cores, the messages of all ranks of a
/// core count, if these are more.
double estimate(const Machine& machine, const Load& load);

}  // namespace carpool::choose
