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

/// Seconds per byte to copy blocks that a rank forwards.
inline constexpr double copy_per_byte = 1e-9;

/// Seconds per byte that a reduction adds to others; measured through the memory of one node.
inline constexpr double sum_per_byte = 5e-11;

/// The factor by which costs may be wrong. Between candidates that are closer, a measurement
/// decides.
inline constexpr int most_wrong = 4;

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
/// one rank may have most messages within its node and another rank most to other nodes. No rank
/// costs more if messages to other nodes cost more.
TrafficByLevel most(const TrafficByLevel& a, const TrafficByLevel& b);

/// The traffic at both levels together.
Traffic of_both_levels(const TrafficByLevel& traffic);

/// The smaller of each pair of numbers.
Traffic least(const Traffic& a, const Traffic& b);

/// The load of a plan on the machine: of each kind the most that any rank has to do.
struct Load {
    TrafficByLevel traffic = {};  ///< by level; sent or received, whichever is more; see most()
    std::int64_t phases = 0;
    double mean_messages = 0;           ///< sent by a rank on average, where it is counted
    std::int64_t summed = 0;            ///< bytes that a rank adds to others, if counted
    std::int64_t temp_bytes = 0;        ///< bytes of blocks that a rank holds on their way
    std::int64_t forwarded = 0;         ///< bytes that the busiest rank forwards, if counted
    std::int64_t forwarded_by_all = 0;  ///< bytes that each rank forwards at least
    double assembled = 0;               ///< messages that a core puts together on their way
    /// Messages of each phase, where these are known; else they are taken to be spread evenly.
    std::vector<std::int64_t> by_phase = {};
    /// Phases in which nothing leaves a node, where these are counted.
    std::int64_t phases_on_node = 0;
    /// What every other rank of a node sends to other nodes at least, where that is counted.
    Traffic beside = {};

    Traffic& at(Level level) { return traffic[static_cast<std::size_t>(level)]; }
    const Traffic& at(Level level) const { return traffic[static_cast<std::size_t>(level)]; }

    std::int64_t messages() const { return traffic[0].messages + traffic[1].messages; }
    std::int64_t blocks() const { return traffic[0].blocks + traffic[1].blocks; }
    std::int64_t phases_between_nodes() const { return phases - phases_on_node; }

    std::int64_t bytes() const { return traffic[0].bytes + traffic[1].bytes; }

    /// The same load with this many bytes in every block, if sizes were not known.
    Load with_blocks_of(std::int64_t block_bytes) const;

    /// The same load with additional messages, all of them in the first phase.
    /// @param widest  the level of the ranks farthest from each other, at which these are counted
    Load with_straight(const Traffic& straight, Level widest) const;

    friend bool operator==(const Load&, const Load&) = default;
};

/// The load of the busier of two ranks: the larger of each pair of numbers, and of traffic what
/// most() has of both.
Load most(const Load& a, const Load& b);

/// The load of one rank's part in the routes of a graph.
Load load_of(const routing::Itinerary& itinerary, int rank, const Machine& machine);

/// The load of one rank's schedule.
Load load_of(const schedule::Schedule& schedule, int rank, const Machine& machine);

/// The traffic that one rank sends. @param nodes  null for a single node
TrafficByLevel sent_by(const schedule::Schedule& schedule, int rank, const topology::Nodes* nodes);

/// The traffic that one rank receives. @param nodes  null for a single node
TrafficByLevel received_by(const schedule::Schedule& schedule, int rank,
                           const topology::Nodes* nodes);

/// The longest block that is worth combining with others, if each then takes this many more hops:
/// for a longer block these cost more than a message of its own.
std::int64_t longest_worth_combining(const CostModel& model, double more_hops);

/// The longest block that rides in headed messages. Each call that is kept holds memory for such
/// blocks, so their length is bounded.
/// @param blocks    how many the busiest rank sends, counted at each hop
/// @param straight  the same if each takes one hop
std::int64_t longest_riding(const CostModel& model, std::int64_t blocks, std::int64_t straight);

/// How many times a rank pays alpha: once for every `ports` messages of a phase.
std::int64_t starts(const Load& load, std::int64_t ports);

/// The cost in seconds: starts * alpha + bytes * beta + phases * sigma, each at the level where it
/// is paid. Messages are those of the busiest rank or, if these are more, those of all ranks of a
/// core. Much memory for forwarded blocks costs as if it were allocated anew each time; copies of
/// forwarded blocks cost time, too.
double estimate(const Machine& machine, const Load& load);

}  // namespace carpool::choose
