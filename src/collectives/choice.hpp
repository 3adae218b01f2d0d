#pragma once

#include "choose/cheapest.hpp"
#include "choose/past_choices.hpp"
#include "collectives/algorithm.hpp"

#include <vector>

namespace carpool::collectives {

/// What an algorithm asks of the ranks. Counted on a few of them, one of which is as busy as any
/// where blocks are equal; elsewhere an estimate, the same on all ranks.
/// @pre the problem does not vary
choose::Load load_of(const Algorithm& algorithm, const Problem& problem,
                     const choose::Machine& machine);

/// All candidates of "auto" that solve the problem, the simpler first.
std::vector<const Algorithm*> applicable(const Problem& problem);

/// An algorithm as a candidate. @pre algorithm and problem outlive it
choose::Candidate candidate(const Algorithm& algorithm, const Problem& problem,
                            const choose::Machine& machine);

/// Tells a problem on a machine from all others.
choose::PastChoices::Key key_of(const Problem& problem, const choose::Machine& machine);

/// An algorithm, and what it asks for.
struct ChosenAlgorithm {
    const Algorithm* algorithm;
    choose::Load load;
};

/// The least estimated cost among those that solve the problem; of equal ones the simpler.
ChosenAlgorithm cheapest(const choose::Machine& machine, const Problem& problem);

}  // namespace carpool::collectives
