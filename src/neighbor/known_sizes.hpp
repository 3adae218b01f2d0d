// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"
#include "mpi/comm/tally.hpp"
#include "neighbor/call.hpp"
#include "neighbor/topology/edge_ends.hpp"
#include "neighbor/topology/topology.hpp"
#include "schedule/operation.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace carpool::neighbor {

/// What all ranks know about the sizes of blocks before they plan a call; the same on all ranks,
/// whether they voted on it or not.
struct AgreedSizes {
    /// The sizes of the send blocks of a declared neighborhood; otherwise one size, the largest.
    std::vector<std::int64_t> block_bytes;

    bool sized = true;  ///< block_bytes holds the sizes of all blocks, whichever rank sends them

    /// In an alltoall whose sizes are still to be learnt, the blocks of the busiest rank that are
    /// too long to be combined with others. The one size is then the bytes of the other blocks,
    /// spread over all blocks.
    choose::Traffic straight = {};

    bool all_empty() const {
        return std::all_of(block_bytes.begin(), block_bytes.end(), [](auto b) { return b == 0; });
    }
};

/// Which ranks know the sizes of the blocks of a call, and what the sizes are. A view of a call.
class KnownSizes {
public:
    /// @param uniform  true if the call has one count and one type on each side
    /// @param call     null if it could not be read
    KnownSizes(const Topology& topology, schedule::Operation operation, bool uniform,
               const CheckedNeighborCall* call)
        : topology_(topology), operation_(operation), uniform_(uniform), call_(call) {}

    /// True if all ranks know the sizes of all blocks, whatever the arguments are.
    bool to_all() const;

    /// True if each rank knows the sizes of its own blocks only. The same on all ranks.
    bool to_ends() const;

    /// True if every edge has a size of its own.
    bool by_edge() const;

    /// The smallest and the largest of the blocks of this rank. @pre the call could be read
    mpi::Extremes sizes_here() const;

    /// The sizes that this rank states for its edges.
    /// @pre by_edge(), and the call could be read
    EdgeEnds ends() const;

    /// The result of a vote.
    /// @param claimed  the claim about sizes, after the vote
    AgreedSizes agreed(const mpi::Tally& tally, std::vector<std::int64_t> claimed) const;

    /// What this rank knows without a vote; unless it is mistaken, all ranks know the same.
    /// @param agreed  gets it, in the memory that it has
    /// @pre the call could be read
    void find_without_vote(AgreedSizes& agreed) const;

private:
    bool known_here() const;
    std::int64_t one_size() const;
    AgreedSizes agreed_by_edge(const mpi::Tally& tally) const;
    void reduce_to_one(AgreedSizes& agreed) const;

    const Topology& topology_;
    schedule::Operation operation_;
    bool uniform_;
    const CheckedNeighborCall* call_;
};

}  // namespace carpool::neighbor
