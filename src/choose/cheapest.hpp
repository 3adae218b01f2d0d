#pragma once

#include "choose/load.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace carpool::choose {

/// One way to do what is asked for.
struct Candidate {
    std::function<Load()> load;  ///< counted only where it may matter
    double at_least = 0;         ///< seconds that it takes whatever else it asks for
};

/// The candidate that is taken, by its number.
struct Chosen {
    std::size_t number = 0;
    Load load = {};
    bool swapped_transport =
        false;  ///< its messages go the other way, where they have two (cut_offs.hpp)

    /// Tells it from all others among the same candidates.
    std::size_t identity() const { return 2 * number + (swapped_transport ? 1 : 0); }

    /// The same with its messages the other way.
    Chosen turned() const { return {number, load, true}; }
};

/// The candidate of least estimated cost; of equal ones the first. @pre there is one
Chosen cheapest(const Machine& machine, std::span<const Candidate> candidates);

/// The cheapest, and those after it that a machine other than thought may make the fastest: by
/// ascending cost, no more than `most`, none that costs over `factor` times the cheapest.
/// @pre there is one
std::vector<Chosen> front_runners(const Machine& machine, std::span<const Candidate> candidates,
                                  std::size_t most, double factor);

}  // namespace carpool::choose
