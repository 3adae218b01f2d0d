// SPDX-License-Identifier: MIT
#pragma once

#include "routing/next_hop.hpp"

#include <memory>
#include <vector>

namespace carpool::routing {

/// A permutation of the ranks in a virtual topology.
struct Arrangement {
    std::vector<int> place_of;  ///< by rank
    std::vector<int> rank_at;   ///< by place

    int place(int rank) const { return place_of[static_cast<std::size_t>(rank)]; }
    int rank(int place) const { return rank_at[static_cast<std::size_t>(place)]; }
};

/// The permutation of that number, the same on all ranks and on every machine; null for number 0,
/// which leaves every rank at its place.
std::shared_ptr<const Arrangement> arrangement_of(int ranks, int number);

/// The given next_hop with the ranks at other places of the virtual topology, so that flows that
/// met in one rank are separated ([5] §3.2, §6). @param places  null for every rank at its place
NextHop arranged(NextHop next_hop, std::shared_ptr<const Arrangement> places);

}  // namespace carpool::routing
