#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/doubling.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/ring.hpp"
#include "collectives/tree_stages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace carpool::collectives {
namespace {

/// Where the block of a rank lies: this rank's own need not be in its place to be sent.
Part block_of(const Script& script, int rank) {
    return rank == script.rank() ? script.own() : script.result(rank);
}

/// Those of the ranks first, first + 1, ... modulo P.
Parts blocks_from(const Script& script, int first, std::int64_t count) {
    Parts blocks;
    for (std::int64_t i = 0; i < count; ++i)
        blocks.push_back(block_of(script, static_cast<int>((first + i) % script.ranks())));
    return blocks;
}

/// After each phase a rank has the blocks of k times as many ranks from itself on (Bruck et al.
/// 1997). No final rotation: blocks arrive in their places.
/// @param radix  0 for all at once
template <int radix>
void bruck(Script& script) {
    const std::int64_t base = radix > 0 ? radix : script.ranks();
    int phase = 0;
    for (std::int64_t have = 1; have < script.ranks(); have *= base, ++phase) {
        for (std::int64_t i = 1; i < base && i * have < script.ranks(); ++i) {
            const auto count = std::min(have, script.ranks() - i * have);
            const int source = script.away(i * have);
            script.send(phase, script.away(-i * have), blocks_from(script, script.rank(), count));
            script.receive(phase, source, blocks_from(script, source, count));
        }
    }
    script.keep_own();
}

void ring(Script& script) {
    collect_round_ring(script, blocks_from(script, 0, script.ranks()));
    script.keep_own();
}

/// Followers hand their blocks to their leaders.
void fold_blocks(Script& script, const Folding& folding) {
    const int group = folding.group_of(script.rank());
    if (const auto follower = folding.follower(group)) {
        const auto block = block_of(script, *follower);
        forward(script, *follower, folding.leader(group), {block}, {block});
    } else if (folding.pairs()) {
        script.pass(1);
    }
}

void recursive_doubling(Script& script) {
    const Folding folding(script.ranks());
    auto blocks = blocks_from(script, 0, script.ranks());
    fold_blocks(script, folding);
    collect(script, folding, Bits::far_first, by_group(folding, blocks));
    // a follower has its own block
    if (const auto follower = folding.follower(folding.group_of(script.rank())))
        blocks.erase(blocks.begin() + *follower);
    unfold(script, folding, blocks, blocks);
    script.keep_own();
}

/// Which pair of blocks a rank gets in a phase of neighbor exchange, as its even or odd neighbors
/// got them in the phases before.
int pair_of_phase(int rank, int phase, int pairs) {
    const int way = rank % 2 == 0 ? -1 : 1;
    const int steps = phase % 2 == 1 ? way * (phase + 1) / 2 : -way * phase / 2;
    return ((rank / 2 + steps) % pairs + pairs) % pairs;
}

/// Neighbors in pairs swap what they got last, left and right by turns (Chen et al. 2005).
void neighbor_exchange(Script& script) {
    const int pairs = script.ranks() / 2;
    const int rank = script.rank();
    const auto pair = [&](int number) {
        return Parts{block_of(script, 2 * number), block_of(script, 2 * number + 1)};
    };
    const int partner = rank ^ 1;
    script.send(0, partner, {script.own()});
    script.receive(0, partner, {script.result(partner)});
    for (int phase = 1; phase < pairs; ++phase) {
        const int way = rank % 2 == phase % 2 ? 1 : -1;
        const int neighbor = script.away(way);
        script.send(phase, neighbor, pair(pair_of_phase(rank, phase - 1, pairs)));
        script.receive(phase, neighbor, pair(pair_of_phase(rank, phase, pairs)));
    }
    script.keep_own();
}

template <int radix>
void gather_bcast(Script& script) {
    const auto tree = tree_of<radix>(script);
    gather_blocks(script, tree);
    script.keep_own();
    // what comes back of its own block must not touch it, it may still be on its way
    auto all = script.all_results();
    auto& own = all[static_cast<std::size_t>(script.rank())];
    own = tree.is_root() ? script.own() : script.temp(own.bytes);
    broadcast(script, tree, all);
}

bool if_even(const Problem& problem) { return problem.ranks % 2 == 0; }

std::int64_t messages_of_neighbor_exchange(const Problem& problem) {
    return std::int64_t{problem.ranks} * (problem.ranks / 2);
}

const std::array list{
    Algorithm{Kind::allgather, "spread", always, whole, bruck<0>, all_to_all},
    Algorithm{Kind::allgather, "ring", always, whole, ring, all_to_all},
    Algorithm{Kind::allgather, "bruck", always, whole, bruck<2>, messages_of_bruck<2>},
    Algorithm{Kind::allgather, "4-bruck", always, whole, bruck<4>, messages_of_bruck<4>},
    Algorithm{Kind::allgather, "recursive-doubling", always, whole, recursive_doubling,
              messages_of_doubling},
    Algorithm{Kind::allgather, "neighbor-exchange", if_even, whole, neighbor_exchange,
              messages_of_neighbor_exchange},
    Algorithm{Kind::allgather, "gather-bcast", always, whole, gather_bcast<2>, both_ways},
    Algorithm{Kind::allgather, "star", always, whole, gather_bcast<0>, both_ways},
};

}  // namespace

std::span<const Algorithm> allgather_algorithms() { return list; }

}  // namespace carpool::collectives
