// SPDX-License-Identifier: MIT
#pragma once

#include "ghosts/index_lists.hpp"
#include "ghosts/needs.hpp"

#include <span>
#include <vector>

namespace carpool::ghosts {

/// A rank that has ghosts of this rank's entries; it may be this rank itself.
struct Taker {
    int rank;
    std::vector<Entry> entries;  ///< ascending, each once
};

/// The entries of a rank that have ghosts, in classes: the same ranks have all entries of a class
/// as ghosts, each equally often. So a class travels as one block.
struct Classes {
    IndexLists entries;                        ///< per class, ascending
    std::vector<std::vector<int>> ranks;       ///< per class those of its takers, ascending
    std::vector<std::vector<int>> times;       ///< how often each of these has an entry
    std::vector<std::vector<int>> of_entries;  ///< per taker, the class of each of its entries
};

/// Classes are numbered by their first entries.
/// @param takers  by ascending rank
Classes classes_of(std::span<const Taker> takers);

}  // namespace carpool::ghosts
