#pragma once

#include "choose/load.hpp"

#include <cstddef>
#include <functional>
#include <span>

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
};

/// The candidate of least estimated cost; of equal ones the first. @pre there is one
Chosen cheapest(const Machine& machine, std::span<const Candidate> candidates);

}  // namespace carpool::choose
