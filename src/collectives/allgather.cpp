// SPDX-License-Identifier: MIT
#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/doubling.hpp"
#include "collectives/lanes.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/ring.hpp"
#include "collectives/tree_stages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace carpool::collectives {
namespace {

/// Where the block of a rank lies; this rank's own is sent from its send slot.
Part block_of(const Script& script, int rank) {
    return rank == script.rank() ? script.own() : script.result(rank);
}

Parts all_blocks(const Script& script) {
    Parts blocks;
    for (int rank = 0; rank < script.ranks(); ++rank) blocks.push_back(block_of(script, rank));
    return blocks;
}

/// The parts of the ranks first, first + 1, ... modulo P.
Parts parts_from(const std::vector<Parts>& held, int first, std::int64_t count) {
    Parts parts;
    for (std::int64_t i = 0; i < count; ++i)
        append(parts, held[static_cast<std::size_t>(first + i) % held.size()]);
    return parts;
}

/// After each phase a rank has the parts of k times as many ranks, itself and those that follow it
/// (Bruck et al. 1997). No final rotation is needed: parts arrive in their places.
/// @tparam radix  k, or 0 for all ranks in one phase
/// @param held  where the parts of each rank lie, or are to be received
template <int radix>
void bruck(Script& script, const std::vector<Parts>& held) {
    const std::int64_t base = radix > 0 ? radix : script.ranks();
    int phase = 0;
    for (std::int64_t have = 1; have < script.ranks(); have *= base, ++phase) {
        for (std::int64_t i = 1; i < base && i * have < script.ranks(); ++i) {
            const auto count = std::min(have, script.ranks() - i * have);
            const int source = script.away(i * have);
            script.send(phase, script.away(-i * have), parts_from(held, script.rank(), count));
            script.receive(phase, source, parts_from(held, source, count));
        }
    }
}

template <int radix>
void bruck(Script& script) {
    bruck<radix>(script, one_by_one(all_blocks(script)));
    script.keep_own();
}

void ring(Script& script) {
    collect_round_ring(script, one_by_one(all_blocks(script)));
    script.keep_own();
}

/// All blocks but that of a rank which has its own already.
Parts blocks_but(int rank, Parts blocks) {
    blocks.erase(blocks.begin() + rank);
    return blocks;
}

/// A rank sends its own block from its place in the result, so that the blocks of a message are one
/// piece of memory.
void recursive_doubling(Script& script) {
    const Folding folding(script.ranks());
    const auto blocks = script.all_results();
    script.keep_own();
    const auto by_rank = one_by_one(blocks);
    const auto others = [&](int rank) { return blocks_but(rank, blocks); };
    hand_in(script, folding, [&](int rank) { return by_rank[static_cast<std::size_t>(rank)]; });
    collect(script, folding, Bits::far_first, by_group(folding, Bits::far_first, by_rank));
    unfold(script, folding, others, others(script.rank()));
}

/// The pair of blocks that a rank receives in a phase of neighbor exchange: the one that its
/// neighbor of this phase received in the phase before.
int pair_of_phase(int rank, int phase, int pairs) {
    const int way = rank % 2 == 0 ? -1 : 1;
    const int steps = phase % 2 == 1 ? way * (phase + 1) / 2 : -way * phase / 2;
    return ((rank / 2 + steps) % pairs + pairs) % pairs;
}

/// Each rank exchanges with its left and its right neighbor, alternately, the pair of blocks that
/// it received last (Chen et al. 2005).
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

/// Where all blocks lie on the rank that broadcasts them, or are received on any other. A rank's
/// own block comes back to it, too, into a temporary place: the block where it lies may still be
/// being sent.
Parts told(Script& script, bool teller) {
    auto all = script.all_results();
    auto& own = all[static_cast<std::size_t>(script.rank())];
    own = teller ? script.own() : script.temp_like(own);
    return all;
}

template <int radix>
void gather_bcast(Script& script) {
    const auto tree = tree_of<radix>(script);
    gather_blocks(script, tree);
    script.keep_own();
    broadcast(script, tree, told(script, tree.is_root()));
}

void by_node(Script& script) {
    const NodeTeams teams(script, 0);
    const auto blocks = all_blocks(script);
    const PartsOf held = [&](int rank) { return Parts{blocks[static_cast<std::size_t>(rank)]}; };
    teams.gather(script, held);
    bool leads = false;
    teams.between_leaders(script, Tree::depth_of(teams.count(), 2), [&] {
        leads = true;
        std::vector<Parts> of_nodes;
        for (int node = 0; node < teams.count(); ++node)
            of_nodes.push_back(teams.parts_of(node, held));
        bruck<2>(script, of_nodes);
    });
    script.keep_own();
    teams.broadcast(script, told(script, leads));
}

/// Gathers the parts of each rank. @param held  where they lie, or are to be received
using Stage = void (*)(Script& script, const std::vector<Parts>& held);

/// Each lane gathers the blocks of its ranks from all nodes; then nodes collect those of all lanes.
template <Within within, Stage stage, int (*phases)(int nodes)>
void by_lanes(Script& script) {
    const Lanes lanes(script, within, 0);
    const auto blocks = all_blocks(script);
    const PartsOf held = [&](int rank) { return Parts{blocks[static_cast<std::size_t>(rank)]}; };
    lanes.hand_in(script, held);
    lanes.along(script, phases(lanes.nodes()), [&] { stage(script, lanes.parts_by_node(held)); });
    lanes.collect(script, lanes.parts_by_lane(held), [&](int rank, const Part& part) {
        return part.slot == blocks[static_cast<std::size_t>(rank)].slot;
    });
    script.keep_own();
}

int phases_of_bruck(int nodes) { return Tree::depth_of(nodes, 2); }

int phases_of_ring(int nodes) { return nodes - 1; }

bool if_even(const Problem& problem) { return problem.ranks % 2 == 0; }

std::int64_t messages_of_neighbor_exchange(const Problem& problem) {
    return std::int64_t{problem.ranks} * (problem.ranks / 2);
}

template <Within within, std::int64_t (*messages)(const Problem&)>
std::int64_t messages_by_lanes(const Problem& problem) {
    return messages_within_lanes(problem, within) + messages_of_lane_followers(problem, within) +
           messages_along_lanes<messages>(problem, within);
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
    Algorithm{.kind = Kind::allgather,
              .name = "node",
              .applies = always,
              .pieces = whole,
              .write = by_node,
              .messages = messages_by_node<messages_of_bruck<2>>,
              .by_node = true},
    Algorithm{.kind = Kind::allgather,
              .name = "multi-lane",
              .applies = always,
              .pieces = whole,
              .write = by_lanes<Within::halving, bruck<2>, phases_of_bruck>,
              .messages = messages_by_lanes<Within::halving, messages_of_bruck<2>>,
              .by_node = true},
    Algorithm{.kind = Kind::allgather,
              .name = "multi-lane-ring",
              .applies = always,
              .pieces = whole,
              .write = by_lanes<Within::spread, collect_round_ring, phases_of_ring>,
              .messages = messages_by_lanes<Within::spread, all_to_all>,
              .by_node = true},
};

}  // namespace

std::span<const Algorithm> allgather_algorithms() { return list; }

}  // namespace carpool::collectives
