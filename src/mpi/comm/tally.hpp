// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace carpool::mpi {

/// The smallest and the largest of some numbers, all at least -1; least > most if there are none.
struct Extremes {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = -1;

    bool one() const { return least >= most; }

    void add(std::int64_t number) { add({number, number}); }
    void add(const Extremes& other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// What is known of the blocks of one call on all ranks together.
struct Tally {
    Extremes bytes;             ///< the bytes of a block
    Extremes oversubscription;  ///< ranks that share a core, in hundredths
    std::uint64_t balance = 0;  ///< digests of blocks sent less those received: 0 if they match
    Extremes held = {};         ///< bytes of all blocks of a rank, which it may have to copy
    Extremes waiting = {};      ///< 1 on ranks that leave the call only after its end, else 0
    Extremes host = {};         ///< 1 on ranks where the host MPI's own collective fits, else 0
    Extremes degree = {};       ///< blocks that a rank sends to others, or receives if more
    Extremes flow = {};         ///< bytes of these blocks, except for the long ones
    Extremes long_degree =
        {};                   ///< the same for blocks that are too long to be combined with others
    Extremes long_flow = {};  ///< bytes of the long blocks
    std::int64_t long_ones = 0;  ///< the long blocks that all ranks together send
    std::uint64_t drawn = 0;     ///< random numbers, whose sum identifies this call

    void add(const Tally& other) {
        bytes.add(other.bytes);
        oversubscription.add(other.oversubscription);
        held.add(other.held);
        waiting.add(other.waiting);
        host.add(other.host);
        degree.add(other.degree);
        flow.add(other.flow);
        long_degree.add(other.long_degree);
        long_flow.add(other.long_flow);
        long_ones += other.long_ones;
        balance += other.balance;
        drawn += other.drawn;
    }

    bool all_wait() const { return waiting.least == 1; }
    bool host_may() const { return host.least == 1; }
    bool one_size() const { return bytes.one(); }
};

}  // namespace carpool::mpi
