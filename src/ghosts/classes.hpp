#pragma once

#include "ghosts/index_lists.hpp"
#include "ghosts/wanted.hpp"

#include <span>
#include <vector>

namespace carpool::ghosts {

/// The entries of this rank that another one takes, or this one itself.
struct Taken {
    int taker;
    std::vector<Entry> entries;  ///< ascending, each once
};

/// The entries of a rank that are taken, in classes: all entries of a class are taken by the same
/// ranks, and by each of them as often. So a class travels as one block.
struct Classes {
    IndexLists entries;                        ///< per class, ascending
    std::vector<std::vector<int>> takers;      ///< per class, ascending
    std::vector<std::vector<int>> of_entries;  ///< the class of each entry in each Taken
};

/// Classes are numbered by their first entries.
/// @param taken  by ascending taker
Classes classes_of(std::span<const Taken> taken);

}  // namespace carpool::ghosts
