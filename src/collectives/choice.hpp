#pragma once

#include "choose/cost_model.hpp"
#include "collectives/algorithm.hpp"

#include <cstdint>
#include <vector>

namespace carpool::collectives {

/// What an algorithm asks of the ranks.
struct Load {
    std::int64_t phases = 0;
    std::int64_t messages = 0;      ///< of the busiest rank, sent or received, whichever is more
    std::int64_t blocks = 0;        ///< in them
    std::int64_t bytes = 0;         ///< in them
    std::int64_t all_messages = 0;  ///< of all ranks together
    std::int64_t temp_bytes = 0;    ///< that lie on a rank on their way
    std::int64_t forwarded = 0;     ///< of an alltoall these: blocks for others on the busiest rank
    std::int64_t forwarded_by_all = 0;  ///< on the least busy of those counted: about that on all
};

/// Counted on a few ranks, one of which is as busy as any where blocks are equal; elsewhere an
/// estimate, the same on all ranks. @pre the problem does not vary
Load load_of(const Algorithm& algorithm, const Problem& problem);

/// What messages cost, and how many ranks share a core.
struct Machine {
    choose::CostModel model;
    double ranks_per_core = 1;

    friend bool operator==(const Machine&, const Machine&) = default;
};

/// phases * sigma + messages * (alpha + mean bytes * beta), in seconds. Messages are those of the
/// busiest rank or, if that is more, those that a core carries for all its ranks. Much memory for
/// blocks on their way counts as if it were made anew each time; blocks that a rank passes on are
/// copied.
double estimate(const Machine& machine, const Load& load, int ranks);

/// An algorithm, and what it asks for.
struct Choice {
    const Algorithm* algorithm;
    Load load;
};

/// The least estimated cost among those that solve the problem; of equal ones the simpler.
Choice cheapest(const Machine& machine, const Problem& problem);

/// All candidates of "auto" that solve the problem, the simpler first.
std::vector<const Algorithm*> applicable(const Problem& problem);

}  // namespace carpool::collectives
