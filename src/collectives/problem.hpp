// SPDX-License-Identifier: MIT
#pragma once

#include "collectives/kind.hpp"
#include "routing/digits.hpp"
#include "topology/nodes.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace carpool::collectives {

/// A collective that is to be planned, as all its ranks see it.
struct Problem {
    Kind kind;
    int ranks;
    int root = 0;

    /// Sizes of blocks: of the only block (bcast, reduce, allreduce, scan, exscan), or of the block
    /// of each rank, where one number stands for all. Empty for a barrier.
    std::vector<std::int64_t> bytes;

    /// For an alltoall whose blocks differ: the bytes that one rank sends to, and receives from,
    /// each rank. Only that rank knows them.
    std::vector<std::int64_t> sent = {};
    std::vector<std::int64_t> received = {};

    /// For such an alltoall, in the problem by which all ranks choose: the largest number of blocks
    /// that a rank sends or receives. `bytes` then has the mean size.
    std::optional<std::int64_t> degree = {};

    /// The blocks of such an alltoall that are too long to be combined with others: blocks and
    /// bytes of the busiest rank, and blocks of all ranks together. The mean size is the bytes of
    /// all other blocks divided by the number of all blocks, since a long block leaves its place in
    /// a combined message empty.
    struct LongBlocks {
        std::int64_t blocks = 0;
        std::int64_t bytes = 0;
        std::int64_t of_all = 0;
        friend bool operator==(const LongBlocks&, const LongBlocks&) = default;
    };
    LongBlocks long_blocks = {};

    routing::Digits digits = {};     ///< the digits of the algorithm "digits"
    bool commutes = true;            ///< the operator of a reduction commutes
    std::int64_t unit = 1;           ///< bytes of an element: blocks are cut between elements
    std::int64_t segment = 1 << 16;  ///< bytes of the pieces of a pipeline

    /// Messages and sums without bytes are made, too, so that what a rank does depends on no size.
    bool keeps_empty = false;

    std::shared_ptr<const topology::Nodes> nodes =
        {};  ///< the nodes of the ranks; null for one node

    std::int64_t block(int i = 0) const;
    std::int64_t sent_to(int rank) const;
    std::int64_t received_from(int rank) const;

    bool varies() const { return !sent.empty(); }

    /// The same problem with blocks of one size, which stands for blocks of varying sizes.
    Problem with_equal_blocks(std::int64_t size) const;

    /// The same problem with equal blocks of the mean size, rounded up by round_block(). It stands
    /// for all problems that become equal in this way.
    Problem with_round_blocks() const;

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// The size rounded up to a power of two of elements. It stands for all sizes that are rounded up
/// to it.
std::int64_t round_block(std::int64_t bytes, std::int64_t unit);

/// The unit in which the block of a broadcast is cut: whole words if possible, so that pieces stay
/// aligned.
std::int64_t unit_of_bcast(std::int64_t bytes);

/// The mean size of blocks, rounded up. @pre there is at least one block
std::int64_t mean_block(std::span<const std::int64_t> bytes);

/// A block cut into `count` pieces, whose numbers of elements differ by one at most.
class Pieces {
public:
    Pieces(std::int64_t bytes, std::int64_t unit, int count)
        : elements_(unit > 0 ? bytes / unit : 0), unit_(unit), count_(count) {}

    int count() const { return count_; }

    /// Where piece i begins, in elements; i may be count().
    std::int64_t first(int i) const {
        return elements_ / count_ * i + (i < elements_ % count_ ? i : elements_ % count_);
    }
    std::int64_t bytes(int i) const { return (first(i + 1) - first(i)) * unit_; }

private:
    std::int64_t elements_;
    std::int64_t unit_;
    int count_;
};

/// Bytes of the block of rank `number`, or of piece `number` where the kind has one block.
std::int64_t size_of_block(const Problem& problem, const Pieces& pieces, int number);

/// The number of send and receive slots of a rank, if the only block is cut into so many pieces.
int send_slots(const Problem& problem, int rank, int pieces);
int recv_slots(const Problem& problem, int rank, int pieces);

}  // namespace carpool::collectives
