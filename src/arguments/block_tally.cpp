// SPDX-License-Identifier: MIT
#include "arguments/block_tally.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace carpool::arguments {
namespace {

/// Larger sums are cut off here, so that none overflows.
constexpr std::int64_t most_bytes = std::int64_t{1} << 62;

struct Sum {
    std::int64_t blocks = 0;
    std::int64_t bytes = 0;

    void add(std::int64_t block) {
        ++blocks;
        bytes = std::min(bytes + block, most_bytes);
    }
};

/// The blocks along the edges of one direction, without those that stay on their rank.
struct OneWay {
    Sum combined;
    Sum straight;

    OneWay(std::span<const topology::Edge> edges, int rank, std::span<const std::int64_t> bytes,
           std::int64_t longest) {
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (edges[i].peer == topology::no_rank || edges[i].peer == rank || bytes[i] == 0)
                continue;
            (bytes[i] > longest ? straight : combined).add(bytes[i]);
        }
    }

    std::int64_t blocks() const { return combined.blocks + straight.blocks; }
};

}  // namespace

mpi::Tally tally_of_blocks(const topology::Adjacency& edges, int rank,
                           const schedule::SlotBytes& own, std::int64_t longest) {
    const OneWay sent(edges.out, rank, own.send, longest);
    const OneWay received(edges.in, rank, own.recv, longest);
    mpi::Tally tally;
    for (const auto* way : {&sent, &received}) {
        tally.degree.add({0, way->blocks()});
        tally.flow.add({0, way->combined.bytes});
        tally.long_degree.add({0, way->straight.blocks});
        tally.long_flow.add({0, way->straight.bytes});
    }
    tally.long_ones = sent.straight.blocks;
    return tally;
}

std::int64_t bytes_of(std::span<const mpi::Block> send, std::span<const mpi::Block> recv) {
    Sum sum;
    for (const auto side : {send, recv})
        for (const auto& block : side) sum.add(block.shape ? block.shape.bytes() : 0);
    return sum.bytes;
}

std::int64_t size_for_report(std::span<const mpi::Block> send, std::span<const mpi::Block> recv) {
    const auto sent = bytes_of(send, {});
    return sent > 0 ? sent : bytes_of(recv, {});
}

}  // namespace carpool::arguments
