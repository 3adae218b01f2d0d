#pragma once

#include "routing/itinerary.hpp"
#include "routing/rule.hpp"

#include <compare>
#include <tuple>
#include <vector>

namespace carpool::routing {

/// Where blocks that have arrived at a rank belong.
class Destinations {
public:
    Destinations(const GraphView& view, Pattern pattern);

    /// Delivers a stop at every position that waits for its block.
    void deliver(Itinerary& itinerary, int stop, const BlockName& block) const;

    /// A block that comes from another rank, and its size if sizes are known.
    struct Expected {
        BlockName block;
        std::int64_t bytes;
    };

    /// All of these by ascending name, each once.
    std::vector<Expected> expected() const;

private:
    struct Wanted {
        BlockName block;
        int position;
        std::int64_t bytes;
        friend auto operator<=>(const Wanted&, const Wanted&) = default;
    };
    int rank_;
    std::vector<Wanted> wanted_;
};

/// A block of this rank, where it rests, and a rank that wants it.
struct Consignment {
    BlockName block;
    int stop;
    int target;
    friend auto operator<=>(const Consignment& a, const Consignment& b) {
        return std::tie(a.target, a.block) <=> std::tie(b.target, b.block);
    }
    friend bool operator==(const Consignment&, const Consignment&) = default;
};

/// All blocks for other ranks, by ascending target and label; the only block of an allgather once
/// per target. Blocks that are known to be empty do not travel.
std::vector<Consignment> blocks_to_send(const GraphView& view, Pattern pattern);

/// An itinerary with this rank's blocks, weighed, delivered where it is its own target.
Itinerary started_itinerary(const GraphView& view, Pattern pattern);

}  // namespace carpool::routing
