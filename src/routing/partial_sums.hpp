// SPDX-License-Identifier: MIT
#pragma once

#include "routing/plan.hpp"

#include <compare>
#include <span>
#include <vector>

namespace carpool::routing {

/// The tree of an allgather run backwards: blocks start at its leaves, and blocks that meet at a
/// stop are summed before they travel on, until the total arrives at the root.
///
///   allgather               backwards
///   0 ──▶ 1 ──▶ 3           0 ◀── 1 ◀── 3      sum at 1 = own block + what comes from 3
///     └─▶ 2                   ◀── 2            sum at 0 = what comes from 1 and 2
///
/// The sum of a stop travels by the same hop as the move that made the stop, and rounds run in
/// reverse. Where each rank gives one block to all neighbors, stops with equal subtrees have equal
/// sums. Equal sums are computed and sent once, so a sum over 27 points moves 6 blocks, not 26.
class PartialSums {
public:
    /// What is added at a leaf: a block for each position, or the only block of the rank.
    enum class Blocks { per_position, one };

    /// @pre the tree is the plan of an allgather
    PartialSums(const Plan& tree, Blocks blocks);

    struct Sum {
        std::vector<int> positions;  ///< own blocks that are added, ascending
        std::vector<int> arrivals;   ///< moves whose sums are added
    };

    /// The move of a sum in a round of the tree; several stops may share it.
    struct Move {
        int round;
        int sum;
        friend auto operator<=>(const Move&, const Move&) = default;
    };

    /// All sums, from the leaves to the root, which is the last.
    std::span<const Sum> sums() const { return sums_; }

    /// All moves, by ascending round of the tree; their number is the volume.
    std::span<const Move> moves() const { return moves_; }

    int sum_of_stop(int stop) const { return sum_of_stop_[static_cast<std::size_t>(stop)]; }

    /// The move by which the sum of a stop goes towards the root; -1 at the root.
    int move_of_stop(int stop) const { return move_of_stop_[static_cast<std::size_t>(stop)]; }

private:
    void number_moves(const std::vector<int>& round_of_stops);
    int number_of(const Move& move) const;

    std::vector<Sum> sums_;
    std::vector<Move> moves_;
    std::vector<int> sum_of_stop_;
    std::vector<int> move_of_stop_;
};

}  // namespace carpool::routing
