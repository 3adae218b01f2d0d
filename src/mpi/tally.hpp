#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace carpool::mpi {

/// The least and the most of some numbers from -1 on; of none the least is larger.
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

/// What all ranks together say of the blocks of one call.
struct Tally {
    Extremes bytes;              ///< of a block
    Extremes oversubscription;   ///< ranks that share a core, in hundredths
    std::uint64_t balance = 0;   ///< digests of blocks sent less those received: 0 if they match
    Extremes held = {};          ///< bytes that a rank may have to copy: of all its blocks
    Extremes waiting = {};       ///< 1 on ranks that leave the call only after its end, else 0
    Extremes host = {};          ///< 1 on ranks where MPI's own collective may do it, else 0
    Extremes degree = {};        ///< blocks that a rank sends to others, or receives if more
    Extremes flow = {};          ///< bytes in these, but for the long ones
    Extremes long_degree = {};   ///< of these blocks, those too long to be combined with others
    Extremes long_flow = {};     ///< bytes in them
    std::int64_t long_ones = 0;  ///< that all ranks together send
    std::uint64_t drawn = 0;     ///< random numbers: the sum tells this call from all others

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
