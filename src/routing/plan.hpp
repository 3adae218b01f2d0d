// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::routing {

/// What a rank sends: a separate block to each neighbor, one block to all, or several blocks, each
/// to some of its neighbors. In a multicast all edges from a rank with one label carry one block.
enum class Pattern { alltoall, allgather, multicast };

/// The routes of all blocks of one rank, as relative routes that are the same on every rank.
///
///   origin          round 0            round 1
///   stop 0  ──hop──▶ stop 2 ──hop──▶ stop 4 = delivered at position 0
///   stop 1  ─────────────────hop──▶ stop 5 = delivered at position 1
///
/// A stop is where a block rests. Stops 0 .. blocks-1 are the send blocks at their origin; every
/// move carries the block of one stop by the hop of its round and makes a new stop. Moves of one
/// round share one message. Round numbers ascend with phases, and a move starts from a stop of an
/// earlier phase.
class Plan {
public:
    struct Delivery {
        int stop;
        int position;  ///< in the receive buffer
    };

    /// @param blocks  send blocks per rank: t for alltoall, 1 for allgather.
    Plan(int dimensions, int blocks) : dimensions_(dimensions), blocks_(blocks) {}

    void reserve(std::size_t moves) { from_.reserve(moves); }
    void add_round(int phase, std::span<const int> hop);
    int add_move(int from_stop);  ///< to the last round; returns the new stop
    void deliver(int stop, int position) { deliveries_.push_back({stop, position}); }

    int dimensions() const { return dimensions_; }
    int blocks() const { return blocks_; }
    int stops() const { return blocks_ + static_cast<int>(from_.size()); }
    int phases() const { return phase_.empty() ? 0 : phase_.back() + 1; }

    /// Per round, the phase in which it starts if it starts as soon as its blocks are there: the
    /// length of the longest chain of earlier rounds that it waits for.
    std::vector<int> least_phase_of_rounds() const;

    /// The number of rounds that start in each of these phases.
    std::vector<std::int64_t> rounds_by_phase() const;

    /// The length of the longest chain of rounds in which each carries a block of the one before.
    int least_phases() const { return static_cast<int>(rounds_by_phase().size()); }

    int rounds() const { return static_cast<int>(phase_.size()); }  ///< C of [2], D of [1]
    std::int64_t volume() const { return static_cast<std::int64_t>(from_.size()); }  ///< V or W
    int phase(int round) const { return phase_[static_cast<std::size_t>(round)]; }
    std::span<const int> hop(int round) const;

    /// The moves of a round make the stops first_stop(round) .. first_stop(round + 1) - 1.
    int first_stop(int round) const;
    bool is_origin(int stop) const { return stop < blocks_; }
    int from(int stop) const { return from_[static_cast<std::size_t>(stop - blocks_)]; }

    std::span<const Delivery> deliveries() const { return deliveries_; }

    /// Per stop, the send block that rests there.
    std::vector<int> block_of_stops() const;

    /// Per send block, the number of moves that carry it or a copy of it.
    std::vector<std::int64_t> hops_of_blocks() const;

    /// The volume if blocks have these weights, or weight 1 if none are given.
    std::int64_t volume_by(std::span<const std::int64_t> weights) const;

    /// Per stop, the round that makes it; -1 for the origins.
    std::vector<int> round_of_stops() const;

    /// Per stop, the d coordinates of its offset from the origin, flattened.
    std::vector<int> way_to_stops() const;

private:
    int dimensions_;
    int blocks_;
    std::vector<int> phase_;       // per round
    std::vector<int> hops_;        // per round, d each
    std::vector<int> first_move_;  // per round
    std::vector<int> from_;        // per move, in round order
    std::vector<Delivery> deliveries_;
};

}  // namespace carpool::routing
