// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/algorithm.hpp"

#include <map>
#include <utility>
#include <vector>

namespace cli {

/// Traces blocks of a collective without reduction back to their origins, through the schedules of
/// only those ranks that they passed.
class CollectiveBlocks {
public:
    struct Origin {
        int rank;
        int block;  ///< its send slot
    };

    /// The algorithm and the problem must outlive this object.
    CollectiveBlocks(const carpool::collectives::Algorithm& algorithm,
                     const carpool::collectives::Problem& problem)
        : algorithm_(algorithm), problem_(problem) {}

    /// @pre the slot is a send slot of the rank, or is written
    Origin origin(int rank, carpool::schedule::Slot slot);

private:
    using Slot = carpool::schedule::Slot;
    using Key = std::pair<Slot::Kind, int>;

    /// Where a part that was received was sent from.
    struct Place {
        int peer;
        std::size_t message;  ///< its number among those between the two
        std::size_t part;
    };

    struct Rank {
        std::map<Key, Place> arrivals;
        std::map<Key, Slot> copies;
        std::map<int, std::vector<std::vector<Slot>>> sent;  ///< to each peer
    };

    const Rank& at(int rank);

    const carpool::collectives::Algorithm& algorithm_;
    const carpool::collectives::Problem& problem_;
    std::map<int, Rank> ranks_;
};

}  // namespace cli
