#pragma once

#include "choose/load.hpp"
#include "mpi/tally.hpp"
#include "neighbor/call.hpp"
#include "neighbor/edge_ends.hpp"
#include "neighbor/topology.hpp"
#include "schedule/operation.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace carpool::neighbor {

/// What all ranks know alike before they plan a call, agreed upon or not.
struct Agreed {
    /// Per send block of a declared neighborhood; else one size, the largest.
    std::vector<std::int64_t> block_bytes;

    bool sized = true;  ///< these are the sizes of all blocks, whichever rank sends them

    /// Of an alltoall whose sizes are to be learnt, what the busiest rank has of blocks too long to
    /// be combined with others. The one size is the bytes of the others, spread over all blocks.
    choose::Traffic straight = {};

    bool all_empty() const {
        return std::all_of(block_bytes.begin(), block_bytes.end(), [](auto b) { return b == 0; });
    }
};

/// The least and the largest of a rank's edges.
mpi::Extremes sizes_at(const EdgeEnds& ends);

/// Who knows the sizes of the blocks of a call, and what they are. A view of a call.
class KnownSizes {
public:
    /// @param uniform  has the call one count and one type on each side?
    /// @param call     null if it could not be read
    KnownSizes(const Topology& topology, schedule::Operation operation, bool uniform,
               const CheckedNeighborCall* call)
        : topology_(topology), operation_(operation), uniform_(uniform), call_(call) {}

    /// Do all ranks know the sizes of all blocks, whatever the arguments?
    bool to_all() const;

    /// Does nobody know the sizes of other blocks than its own? Alike on all ranks.
    bool to_ends() const;

    /// Are they those of edges, which may differ from each other?
    bool by_edge() const;

    /// What this rank says of its edges. @pre by_edge, call
    EdgeEnds ends() const;

    /// May a block go another way, as far as this rank knows? @pre call
    bool have_two_ways() const;

    /// What comes of a vote. @param claimed  of the sizes, by all ranks
    Agreed agreed(const mpi::Tally& tally, std::vector<std::int64_t> claimed) const;

    /// What this rank knows by itself: unless it is mistaken, what all know. @pre call
    Agreed own_word() const;

private:
    bool known_here() const;
    std::int64_t one_size() const;
    Agreed agreed_by_edge(const mpi::Tally& tally) const;
    Agreed agreed_by_position(std::vector<std::int64_t> block_bytes) const;

    const Topology& topology_;
    schedule::Operation operation_;
    bool uniform_;
    const CheckedNeighborCall* call_;
};

}  // namespace carpool::neighbor
