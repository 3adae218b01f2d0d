// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/parts.hpp"
#include "collectives/problem.hpp"
#include "collectives/team.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace carpool::collectives {

/// Writes what one rank does in a collective, stage by stage.
///
/// A stage numbers its phases from 0; pass() ends it, after the same number of phases on all ranks.
/// Parts without bytes, and sums of these, are left out, since both ends of a message know the
/// sizes. Only a barrier, which has no other parts, keeps them.
class Script {
public:
    /// @param pieces  the number of pieces into which the block of bcast, reduce and allreduce is
    ///                cut
    Script(const Problem& problem, int rank, int pieces);

    const Problem& problem() const { return problem_; }
    int pieces() const { return pieces_.count(); }

    /// This rank and the number of ranks; within among(), its place in the team and the team's
    /// size. The peers of messages are numbered the same way.
    int rank() const { return place_; }
    int ranks() const { return team_ != nullptr ? team_->size() : problem_.ranks; }

    /// The rank at this distance, modulo the number of ranks; the distance may be negative.
    int away(std::int64_t distance) const;

    /// Runs stages on the ranks of a team; the same number of phases passes on all other ranks.
    void among(const Team& team, int phases, const std::function<void()>& stages);

    /// This rank's block or piece i, and the place of block or piece i in its result.
    Part own(int i = 0) const;
    Part result(int i = 0) const;

    /// All blocks or pieces.
    Parts all_own() const;
    Parts all_results() const;

    /// A temporary place for the block of that rank, or for that piece if one block is cut.
    Part temp_for(int block);

    /// The same if all blocks have one size.
    Part temp() { return temp_for(0); }
    Part temp_like(const Part& part);
    Parts temps_like(const Parts& parts);

    void send(int phase, int to, const Parts& parts);
    void receive(int phase, int from, const Parts& parts);

    /// The sum of the parts in this order; a single part is its own sum.
    Part sum(const Parts& of);

    /// The sum of each list.
    Parts sums(const std::vector<Parts>& lists);

    /// Makes the sum of the parts, or a copy of the single part, the content of `result`.
    void conclude(const Parts& of, const Part& result);

    /// Copies the block that this rank has for itself. @pre the kind moves the blocks of all ranks
    void keep_own();

    /// Lets a block of this rank be sent only after another block has arrived.
    void await(const Part& own, const Part& arrival);

    /// Whether the part is sent, summed and waited for; one without bytes is not, unless all are
    /// kept.
    bool counts(const Part& part) const {
        return part.bytes > 0 || problem_.keeps_empty || problem_.kind == Kind::barrier;
    }

    void pass(int phases) { phase_ += phases; }

    schedule::Schedule take();

private:
    Parts parts_that_count(const Parts& parts) const;
    int block_of(const schedule::Slot& slot) const;
    int rank_of(int peer) const { return team_ != nullptr ? team_->rank_at(peer) : peer; }

    const Problem& problem_;
    int rank_;
    const Team* team_ = nullptr;  // null for all ranks
    int place_ = rank_;           // in the team
    Pieces pieces_;
    int phase_ = 0;
    schedule::Schedule schedule_;
};

}  // namespace carpool::collectives
