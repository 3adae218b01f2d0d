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
/// A stage numbers its phases from 0; pass() begins the next one behind it, by as many phases on
/// all ranks. Parts without bytes, and what is made of them, are left out: both ends of a message
/// know the sizes. Only a barrier is made of nothing else.
class Script {
public:
    /// @param pieces  into which the one block of bcast, reduce and allreduce is cut
    Script(const Problem& problem, int rank, int pieces);

    const Problem& problem() const { return problem_; }
    int pieces() const { return pieces_.count(); }

    /// Of all ranks or, among a team, of those in it: so are the peers of messages.
    int rank() const { return place_; }
    int ranks() const { return team_ != nullptr ? team_->size() : problem_.ranks; }

    /// The rank `distance` further on; any distance.
    int away(std::int64_t distance) const;

    /// Lets a team go through stages of so many phases. All other ranks wait.
    void among(const Team& team, int phases, const std::function<void()>& stages);

    /// This rank's block or piece i, and its place for what it receives.
    Part own(int i = 0) const;
    Part result(int i = 0) const;

    /// All of them.
    Parts all_own() const;
    Parts all_results() const;

    /// A temporary place for the block of that rank, or for that piece where one block is cut.
    Part temp_for(int block);

    /// The same where all blocks have one size.
    Part temp() { return temp_for(0); }
    Part temp_like(const Part& part);
    Parts temps_like(const Parts& parts);

    void send(int phase, int to, const Parts& parts);
    void receive(int phase, int from, const Parts& parts);

    /// The sum of these, in this order; of one part, that part.
    Part sum(const Parts& of);

    /// That of each list.
    Parts sums(const std::vector<Parts>& lists);

    /// Makes the sum, or the one block, a rank's result.
    void conclude(const Parts& of, const Part& result);

    /// Copies the block that this rank has for itself. @pre a kind that moves blocks of its ranks
    void keep_own();

    /// Keeps a block of its own back until another has come.
    void await(const Part& own, const Part& arrival);

    /// Is it sent, summed, waited for? What has no bytes is left out, unless it must not be.
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
    int place_ = rank_;           // in it
    Pieces pieces_;
    int phase_ = 0;
    schedule::Schedule schedule_;
};

}  // namespace carpool::collectives
