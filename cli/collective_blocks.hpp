#pragma once

#include "collectives/algorithm.hpp"

#include <map>
#include <utility>
#include <vector>

namespace cli {

/// Traces blocks of a collective that sums nothing back to where they come from, through the
/// schedules of as many ranks as they came through.
class CollectiveBlocks {
public:
    struct Origin {
        int rank;
        int block;  ///< its send slot
    };

    /// Both must outlive this.
    CollectiveBlocks(const carpool::collectives::Algorithm& algorithm,
                     const carpool::collectives::Problem& problem)
        : algorithm_(algorithm), problem_(problem) {}

    /// @pre the slot is a send slot of the rank, or written
    Origin origin(int rank, carpool::schedule::Slot slot);

private:
    using Slot = carpool::schedule::Slot;
    using Key = std::pair<Slot::Kind, int>;

    /// Where a part that has come was sent from.
    struct Place {
        int peer;
        std::size_t message;  ///< of those between the two
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
