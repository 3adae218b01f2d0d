// SPDX-License-Identifier: MIT
#pragma once

#include "routing/itinerary.hpp"

#include <map>
#include <span>
#include <vector>

namespace cli {

/// Traces blocks back to their origins, through the routes of all ranks.
class BlockNames {
public:
    struct Origin {
        int rank;
        int block;  ///< its send block
    };

    /// @param routes  of ranks 0 .. P-1; must outlive this object
    explicit BlockNames(std::span<const carpool::routing::Itinerary> routes) : routes_(routes) {}

    Origin origin(int rank, int stop);

private:
    struct Place {
        int phase;
        int peer;
        std::size_t index;  ///< in the message
    };

    /// By which message, and at which place in it, each stop of a rank is received.
    const std::vector<Place>& arrivals(int rank);

    std::span<const carpool::routing::Itinerary> routes_;
    std::map<int, std::vector<Place>> arrivals_;
};

}  // namespace cli
