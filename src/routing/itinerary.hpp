// SPDX-License-Identifier: MIT
#pragma once

#include "routing/plan.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// The name of a block, the same on all ranks along its route.
struct BlockName {
    int origin;
    int label;  ///< label of the edge from origin to target; one_for_all for an allgather
    friend auto operator<=>(const BlockName&, const BlockName&) = default;
};
inline constexpr int one_for_all = -1;

/// One rank's part in the routes of a graph: all blocks that it sends, receives and forwards.
///
/// A stop is where a block rests. Stops are numbered per rank: 0 .. blocks-1 are its own send
/// blocks, one per edge for alltoall and a single block for allgather; every block that arrives
/// makes a new stop. Blocks that leave for the same rank in the same phase share a message. Both
/// ends of a message list its blocks in the same order.
class Itinerary {
public:
    /// A message, with the stops whose blocks it carries away or the stops that it makes.
    struct CombinedMessage {
        int phase;
        int peer;
        std::vector<int> stops;
    };

    /// @param blocks  number of send blocks of this rank
    explicit Itinerary(int blocks)
        : blocks_(blocks),
          arrival_(static_cast<std::size_t>(blocks), -1),
          label_(static_cast<std::size_t>(blocks), one_for_all),
          bytes_(static_cast<std::size_t>(blocks), 0) {}

    /// Adds the block of a stop to the message to `peer` in that phase. @pre the block has arrived
    /// in an earlier phase
    void send(int phase, int peer, int stop);

    /// Adds a block to the message from `peer` in that phase; returns its stop.
    int receive(int phase, int peer, int label = one_for_all);

    /// Sets the label of the block at a stop.
    void name(int stop, int label) { label_[static_cast<std::size_t>(stop)] = label; }
    int label(int stop) const { return label_[static_cast<std::size_t>(stop)]; }

    /// Sets the size of the block at a stop, where sizes are known.
    void weigh(int stop, std::int64_t bytes) { bytes_[static_cast<std::size_t>(stop)] = bytes; }
    std::int64_t bytes(int stop) const { return bytes_[static_cast<std::size_t>(stop)]; }

    void deliver(int stop, int position) { deliveries_.push_back({stop, position}); }

    int blocks() const { return blocks_; }
    int stops() const { return static_cast<int>(arrival_.size()); }
    bool is_origin(int stop) const { return stop < blocks_; }

    /// The phase in which a stop is made, -1 for the origins; its block may leave from the next
    /// phase on.
    int arrival(int stop) const { return arrival_[static_cast<std::size_t>(stop)]; }

    /// Messages by ascending phase, then rank. @pre sort() has been called
    std::span<const CombinedMessage> sends() const { return sends_; }
    std::span<const CombinedMessage> receives() const { return receives_; }
    std::span<const Plan::Delivery> deliveries() const { return deliveries_; }

    int phases() const;
    std::int64_t blocks_sent() const;
    std::int64_t bytes_sent() const { return bytes_in(sends_); }
    std::int64_t bytes_received() const { return bytes_in(receives_); }

    /// Sorts the messages; to be called when all blocks have been added.
    void sort();

private:
    std::int64_t bytes_in(std::span<const CombinedMessage> messages) const;

    int blocks_;
    std::vector<int> arrival_;         // per stop
    std::vector<int> label_;           // likewise
    std::vector<std::int64_t> bytes_;  // likewise
    std::vector<CombinedMessage> sends_;
    std::vector<CombinedMessage> receives_;
    std::vector<Plan::Delivery> deliveries_;
};

}  // namespace carpool::routing
