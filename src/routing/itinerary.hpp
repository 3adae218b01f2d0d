#pragma once

#include "routing/plan.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// A block as all ranks on its way know it.
struct BlockName {
    int origin;
    int label;  ///< of its edge from origin to target; one_for_all for the block of an allgather
    friend auto operator<=>(const BlockName&, const BlockName&) = default;
};
inline constexpr int one_for_all = -1;

/// What one rank does for all blocks that come by: its part in the routes of a graph.
///
/// Stops are numbered per rank: 0 .. blocks-1 are its own send blocks, one per edge for alltoall
/// and one for all for allgather; every block that arrives makes a new one. Stops that leave for
/// one rank in one phase share a ride. Both ends of a ride list its blocks in the same order.
class Itinerary {
public:
    /// A message: stops that leave, or that it makes.
    struct Ride {
        int phase;
        int peer;
        std::vector<int> stops;
    };

    /// @param blocks  send blocks of this rank
    explicit Itinerary(int blocks)
        : blocks_(blocks),
          arrival_(static_cast<std::size_t>(blocks), -1),
          label_(static_cast<std::size_t>(blocks), one_for_all),
          bytes_(static_cast<std::size_t>(blocks), 0) {}

    /// Lets a stop leave by the ride of that phase to that rank. @pre it arrives in earlier phases
    void send(int phase, int peer, int stop);

    /// A block arrives by the ride of that phase from that rank; returns its stop.
    int receive(int phase, int peer, int label = one_for_all);

    /// Says the label of what lies at a stop.
    void name(int stop, int label) { label_[static_cast<std::size_t>(stop)] = label; }
    int label(int stop) const { return label_[static_cast<std::size_t>(stop)]; }

    /// Says the size of what lies at a stop, where sizes are known.
    void weigh(int stop, std::int64_t bytes) { bytes_[static_cast<std::size_t>(stop)] = bytes; }
    std::int64_t bytes(int stop) const { return bytes_[static_cast<std::size_t>(stop)]; }

    void deliver(int stop, int position) { deliveries_.push_back({stop, position}); }

    int blocks() const { return blocks_; }
    int stops() const { return static_cast<int>(arrival_.size()); }
    bool is_origin(int stop) const { return stop < blocks_; }

    /// The phase in which a stop is made, -1 for the origins; it may leave from the next one on.
    int arrival(int stop) const { return arrival_[static_cast<std::size_t>(stop)]; }

    /// Rides by ascending phase, then rank. @pre sorted
    std::span<const Ride> sends() const { return sends_; }
    std::span<const Ride> receives() const { return receives_; }
    std::span<const Plan::Delivery> deliveries() const { return deliveries_; }

    int phases() const;
    std::int64_t blocks_sent() const;
    std::int64_t bytes_sent() const { return bytes_in(sends_); }
    std::int64_t bytes_received() const { return bytes_in(receives_); }

    /// Puts rides in order; to be called when all are there.
    void sort();

private:
    std::int64_t bytes_in(std::span<const Ride> rides) const;

    int blocks_;
    std::vector<int> arrival_;         // per stop
    std::vector<int> label_;           // likewise
    std::vector<std::int64_t> bytes_;  // likewise
    std::vector<Ride> sends_;
    std::vector<Ride> receives_;
    std::vector<Plan::Delivery> deliveries_;
};

}  // namespace carpool::routing
