// SPDX-License-Identifier: MIT
#pragma once

#include "routing/itinerary.hpp"
#include "routing/rule.hpp"

#include <compare>
#include <tuple>
#include <vector>

namespace carpool::routing {

/// The positions of a rank's receive buffer where arriving blocks belong.
class Destinations {
public:
    Destinations(const GraphView& view, Pattern pattern);

    /// Delivers a stop at every position that waits for its block.
    void deliver(Itinerary& itinerary, int stop, const BlockName& block) const;

    /// A block that comes from another rank, and its size if sizes are known.
    struct ExpectedBlock {
        BlockName block;
        std::int64_t bytes;
    };

    /// All blocks that come from other ranks, by ascending name, each once.
    std::vector<ExpectedBlock> expected() const;

private:
    struct WantedBlock {
        BlockName block;
        int position;
        std::int64_t bytes;
        friend auto operator<=>(const WantedBlock&, const WantedBlock&) = default;
    };
    int rank_;
    std::vector<WantedBlock> wanted_;
};

/// A block of this rank, the stop where it rests, and a rank that it is for.
struct OutgoingBlock {
    BlockName block;
    int stop;
    int target;
    friend auto operator<=>(const OutgoingBlock& a, const OutgoingBlock& b) {
        return std::tie(a.target, a.block) <=> std::tie(b.target, b.block);
    }
    friend bool operator==(const OutgoingBlock&, const OutgoingBlock&) = default;
};

/// All blocks for other ranks, by ascending target and label. A block of an allgather or multicast
/// is listed once per target. Blocks that are known to be empty are left out.
std::vector<OutgoingBlock> blocks_to_send(const GraphView& view, Pattern pattern);

/// An itinerary with this rank's blocks and their sizes, in which the blocks that it sends to
/// itself are delivered.
Itinerary started_itinerary(const GraphView& view, Pattern pattern);

}  // namespace carpool::routing
