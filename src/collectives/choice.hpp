// SPDX-License-Identifier: MIT
#pragma once

#include "choose/cheapest.hpp"
#include "choose/past_choices.hpp"
#include "collectives/algorithm.hpp"

#include <vector>

namespace carpool::collectives {

/// The load of the busiest rank under an algorithm. It is counted on a few ranks, one of which is
/// as busy as any if blocks are equal. Otherwise it is an estimate, the same on all ranks.
/// @pre problem.varies() is false
choose::Load load_of(const Algorithm& algorithm, const Problem& problem,
                     const choose::Machine& machine);

/// All candidates of "auto" that solve the problem, the simplest first.
std::vector<const Algorithm*> applicable(const Problem& problem);

/// An algorithm as a candidate. @pre algorithm and problem outlive it
choose::Candidate candidate(const Algorithm& algorithm, const Problem& problem,
                            const choose::Machine& machine);

/// The key of a problem on a machine, different from that of any other problem or machine.
choose::PastChoices::Key key_of(const Problem& problem, const choose::Machine& machine);

/// An algorithm and its load.
struct ChosenAlgorithm {
    const Algorithm* algorithm;
    choose::Load load;
};

/// The algorithm of least estimated cost among those that solve the problem; of equal ones the
/// simpler.
ChosenAlgorithm cheapest(const choose::Machine& machine, const Problem& problem);

}  // namespace carpool::collectives
