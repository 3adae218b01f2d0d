#pragma once

#include "choose/machine.hpp"
#include "routing/itinerary.hpp"
#include "schedule/schedule.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace carpool::choose {

/// Seconds to put a message of parcels together and to take it apart.
inline constexpr double assembly_per_message = 3e-6;

/// Seconds per byte to copy what a rank passes on.
inline constexpr double copy_per_byte = 1e-9;

/// Seconds per byte that is added to others: measured through the memory of one node.
inline constexpr double sum_per_byte = 5e-11;

/// By which factor costs may be wrong: what is that near, a trial decides.
inline constexpr int most_wrong = 4;

/// Messages of one rank, sent or received.
struct Traffic {
    std::int64_t messages = 0;
    std::int64_t blocks = 0;  ///< in them
    std::int64_t bytes = 0;   ///< in the blocks, where their sizes are known

    Traffic& operator+=(const Traffic& more);
    friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// On the node and to others.
using TrafficByLevel = std::array<Traffic, 2>;

/// Of each number the more.
Traffic most(const Traffic& a, const Traffic& b);

/// Of each number the less.
Traffic least(const Traffic& a, const Traffic& b);

/// What a plan asks of the machine: of each kind the most that any rank has to do.
struct Load {
    TrafficByLevel traffic = {};  ///< by level; sent or received, whichever is more
    std::int64_t phases = 0;
    double mean_messages = 0;           ///< sent by a rank on average, where it is counted
    std::int64_t summed = 0;            ///< bytes that a rank adds to others, where it is counted
    std::int64_t temp_bytes = 0;        ///< that lie on a rank on their way
    std::int64_t forwarded = 0;         ///< of these, bytes for others on the busiest rank
    std::int64_t forwarded_by_all = 0;  ///< and on the rank that passes on least
    double assembled = 0;               ///< messages of a core put together on their way
    /// Messages of each phase, where these are known; else they are taken to be spread evenly.
    std::vector<std::int64_t> by_phase = {};
    /// Phases in which nothing leaves a node, where these are counted.
    std::int64_t phases_on_node = 0;
    /// What each other rank of a node sends to other nodes, at least, where that is counted.
    Traffic beside = {};

    Traffic& at(Level level) { return traffic[static_cast<std::size_t>(level)]; }
    const Traffic& at(Level level) const { return traffic[static_cast<std::size_t>(level)]; }

    std::int64_t messages() const { return traffic[0].messages + traffic[1].messages; }
    std::int64_t blocks() const { return traffic[0].blocks + traffic[1].blocks; }
    std::int64_t phases_between_nodes() const { return phases - phases_on_node; }

    std::int64_t bytes() const { return traffic[0].bytes + traffic[1].bytes; }

    /// The same with so many bytes in every block, where sizes were not known.
    Load with_blocks_of(std::int64_t block_bytes) const;

    /// The same with messages besides, as far as ranks can be from each other, all in the first
    /// phase.
    Load with_straight(const Traffic& straight, Level widest) const;

    friend bool operator==(const Load&, const Load&) = default;
};

/// Of each kind the more: the load of the busier of two ranks.
Load most(const Load& a, const Load& b);

/// Of one rank's part in the routes of a graph.
Load load_of(const routing::Itinerary& itinerary, int rank, const Machine& machine);

/// Of one rank's part in a schedule.
Load load_of(const schedule::Schedule& schedule, int rank, const Machine& machine);

/// What one rank sends. @param nodes  null for one
TrafficByLevel sent_by(const schedule::Schedule& schedule, int rank, const topology::Nodes* nodes);

/// The longest block that is worth combining with others, where each then takes so many hops more:
/// a longer one costs more by them than a message of its own does.
std::int64_t longest_worth_combining(const CostModel& model, double more_hops);

/// The longest block that rides in messages with length headers. Memory for that waits in each call
/// that is kept, so it is bounded.
/// @param blocks    that the busiest rank sends, counted at each hop
/// @param straight  the same where each takes one hop
std::int64_t longest_riding(const CostModel& model, std::int64_t blocks, std::int64_t straight);

/// How many times a rank pays alpha: once for up to so many messages of a phase as it has ports.
std::int64_t starts(const Load& load, std::int64_t ports);

/// starts * alpha + bytes * beta + phases * sigma, in seconds, each at the level where it is paid.
/// Messages are those of the busiest rank or, if that is more, those that a core carries for all
/// its ranks. Much memory for blocks on their way counts as if it were made anew each time; blocks
/// that a rank passes on are copied.
double estimate(const Machine& machine, const Load& load);

}  // namespace carpool::choose
