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

    /// Of the one block that there is (bcast, reduce, allreduce, scan, exscan), or of that of each
    /// rank; one number stands for all. None for a barrier.
    std::vector<std::int64_t> bytes;

    /// Of an alltoall whose blocks differ: what one rank sends to and receives from each. Only that
    /// rank knows them.
    std::vector<std::int64_t> sent = {};
    std::vector<std::int64_t> received = {};

    /// Of such an alltoall, as all ranks are to choose for it: the mean block in `bytes`, and the
    /// most blocks that a rank sends or receives.
    std::optional<std::int64_t> degree = {};

    /// Of these, what is too long to be combined with others: blocks and bytes of the busiest rank,
    /// and blocks of all ranks together. The mean is the bytes of the others, spread over all
    /// blocks: a long one leaves its place in a combined message empty.
    struct LongBlocks {
        std::int64_t blocks = 0;
        std::int64_t bytes = 0;
        std::int64_t of_all = 0;
        friend bool operator==(const LongBlocks&, const LongBlocks&) = default;
    };
    LongBlocks long_blocks = {};

    routing::Digits digits = {};     ///< of the algorithm of that name
    bool commutes = true;            ///< the operator of a reduction
    std::int64_t unit = 1;           ///< bytes of an element: blocks are cut between elements
    std::int64_t segment = 1 << 16;  ///< bytes of the pieces of a pipeline

    /// Messages and sums without bytes are made too: what a rank does depends on no size.
    bool keeps_empty = false;

    std::shared_ptr<const topology::Nodes> nodes = {};  ///< of the ranks; null for one

    std::int64_t block(int i = 0) const;
    std::int64_t sent_to(int rank) const;
    std::int64_t received_from(int rank) const;

    bool varies() const { return !sent.empty(); }

    /// The same with blocks of one size, which stands for those that vary.
    Problem with_equal_blocks(std::int64_t size) const;

    /// The problem that stands for all of such blocks: these are equal, and round.
    Problem with_round_blocks() const;

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// The size that stands for all blocks of up to twice as many elements: of a power of two.
std::int64_t round_block(std::int64_t bytes, std::int64_t unit);

/// The unit of a broadcast: cut between words, pieces stay aligned.
std::int64_t unit_of_bcast(std::int64_t bytes);

/// The mean size of blocks, rounded up. @pre there is one
std::int64_t mean_block(std::span<const std::int64_t> bytes);

/// A block cut into as many pieces as wanted, of elements as equal in number as can be.
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

/// How many send and receive slots a rank has, when the one block that there is is cut into pieces.
int send_slots(const Problem& problem, int rank, int pieces);
int recv_slots(const Problem& problem, int rank, int pieces);

}  // namespace carpool::collectives
