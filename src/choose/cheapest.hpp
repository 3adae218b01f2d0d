// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace carpool::choose {

/// One of the plans, algorithms or strategies that can do a call.
struct Candidate {
    std::function<Load()> load;  ///< counted only if it may matter
    double at_least = 0;         ///< a lower bound of its cost in seconds
};

/// A candidate that costs have compared, by its number, and its transport.
struct Contender {
    std::size_t number = 0;
    Load load = {};

    /// Messages for which either transport may be faster (cut_offs.hpp) take the unusual one.
    bool swapped_transport = false;

    /// Distinguishes it from all others among the same candidates.
    std::size_t identity() const { return 2 * number + (swapped_transport ? 1 : 0); }

    /// The same candidate with its transport swapped.
    Contender with_other_transport() const { return {number, load, true}; }
};

/// The candidate of least estimated cost; of equal ones the first. @pre there is at least one
Contender cheapest(const Machine& machine, std::span<const Candidate> candidates);

/// The cheapest candidate, and those that may be faster if costs are wrong: by ascending cost, at
/// most `most` of them, none that costs more than `factor` times the cheapest.
/// @pre there is at least one
std::vector<Contender> front_runners(const Machine& machine, std::span<const Candidate> candidates,
                                     std::size_t most, double factor);

}  // namespace carpool::choose
