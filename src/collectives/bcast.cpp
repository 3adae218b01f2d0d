// SPDX-License-Identifier: MIT
#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/doubling.hpp"
#include "collectives/lanes.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/tree_stages.hpp"

#include <array>
#include <cstdint>

namespace carpool::collectives {
namespace {

/// The pieces of the block, where they lie or are to be received.
Parts pieces_of(const Script& script) {
    return script.rank() == script.problem().root ? script.all_own() : script.all_results();
}

template <int radix>
void tree(Script& script, int root, const Parts& pieces) {
    broadcast(script, tree_of<radix>(script, root), pieces);
}

/// Sends the pieces of the root to all ranks.
using Stage = void (*)(Script& script, int root, const Parts& pieces);

/// Runs a stage on all ranks.
template <Stage stage>
void flat(Script& script) {
    stage(script, script.problem().root, pieces_of(script));
}

/// Runs a stage on the leaders of nodes, which then broadcast within their nodes.
template <Stage stage, int (*phases)(int nodes)>
void by_node(Script& script) {
    const NodeTeams teams(script, script.problem().root);
    const auto pieces = pieces_of(script);
    teams.between_leaders(script, phases(teams.count()),
                          [&] { stage(script, teams.root_node(), pieces); });
    teams.broadcast(script, pieces);
}

/// Each rank forwards the block piece by piece.
void chain(Script& script) {
    const int distance = script.away(-std::int64_t{script.problem().root});
    const auto pieces = pieces_of(script);
    for (int i = 0; i < script.pieces(); ++i) {
        const auto& piece = pieces[static_cast<std::size_t>(i)];
        if (distance > 0) script.receive(i + distance - 1, script.away(-1), {piece});
        if (distance + 1 < script.ranks()) script.send(i + distance, script.away(1), {piece});
    }
}

/// The pieces that the rank at this distance from the root has after they have been scattered along
/// the binomial tree.
Tree::Branch pieces_at(int ranks, int distance) { return Tree(ranks, 2, 0, distance).self(); }

bool holds(const Tree::Branch& branch, int piece) {
    return piece >= branch.first && piece < branch.first + branch.count;
}

/// Scatters one piece to each rank, then sends all pieces round the ring, except those that the
/// next rank has from the scatter (van de Geijn's broadcast of long blocks).
void scatter_allgather(Script& script, int root, const Parts& pieces) {
    const int ranks = script.ranks();
    const int distance = (script.rank() - root + ranks) % ranks;
    const auto here = pieces_at(ranks, distance);
    const auto next = pieces_at(ranks, (distance + 1) % ranks);
    const auto piece = [&](int number) { return pieces[static_cast<std::size_t>(number)]; };
    scatter(script, tree_of<2>(script, root),
            [&](int rank) { return Parts{piece((rank - root + ranks) % ranks)}; });
    for (int step = 0; step + 1 < ranks; ++step) {
        const int sent = (distance - step + ranks) % ranks;
        const int received = (sent - 1 + ranks) % ranks;
        if (!holds(next, sent)) script.send(step, script.away(1), {piece(sent)});
        if (!holds(here, received)) script.receive(step, script.away(-1), {piece(received)});
    }
}

/// Scatters one piece to each group of ranks, which then collect all pieces by recursive doubling.
void scatter_doubling(Script& script, int root, const Parts& pieces) {
    const Folding folding(script.ranks(), root);
    scatter(script, folding, Bits::near_first, one_by_one(pieces));
    collect_scattered(script, folding, Bits::near_first, one_by_one(pieces));
    unfold(script, folding, pieces);
}

/// The root scatters the block on its node, so that each lane broadcasts a piece between nodes;
/// then the pieces are collected within nodes.
template <Within within, Stage stage, int (*phases)(int nodes)>
void by_lanes(Script& script) {
    const Lanes lanes(script, within, script.problem().root);
    const auto pieces = in_equal_lists(pieces_of(script), lanes.count());
    lanes.scatter(script, pieces);
    lanes.along(script, phases(lanes.nodes()),
                [&] { stage(script, lanes.root_node(), pieces[lanes.piece()]); });
    lanes.collect_scattered(script, pieces);
}

int phases_of_binomial(int ranks) { return Tree::depth_of(ranks, 2); }

int phases_of_scatter_allgather(int ranks) { return phases_of_binomial(ranks) + ranks - 1; }

int phases_of_scatter_doubling(int ranks) {
    const Folding folding(ranks);
    return 2 * folding.bits() + (folding.has_followers() ? 1 : 0);
}

std::int64_t messages_of_chain(const Problem& problem) {
    return one_way(problem) * per_segment(problem);
}

std::int64_t messages_of_scatter_allgather(const Problem& problem) {
    auto messages = one_way(problem);
    for (int distance = 1; distance < problem.ranks; ++distance)
        messages += problem.ranks - pieces_at(problem.ranks, distance).count;
    return messages;
}

std::int64_t messages_of_node_scatter_allgather(const Problem& problem) {
    return within_nodes(problem) + messages_of_scatter_allgather(between_leaders(problem));
}

/// What leaders have forwarded in the scatter they do not receive again.
std::int64_t messages_of_scatter_doubling(const Problem& problem) {
    return messages_of_leaders(problem) + messages_of_followers(problem);
}

/// The root's node sends so many fewer messages to collect the pieces as it has sent to scatter
/// them.
template <Within within, std::int64_t (*messages)(const Problem&)>
std::int64_t messages_by_lanes(const Problem& problem) {
    return messages_within_lanes(problem, within) + messages_along_lanes<messages>(problem, within);
}

const std::array list{
    Algorithm{Kind::bcast, "linear", always, whole, flat<tree<0>>, one_way},
    Algorithm{Kind::bcast, "binomial", always, whole, flat<tree<2>>, one_way},
    Algorithm{Kind::bcast, "4-nomial", always, whole, flat<tree<4>>, one_way},
    Algorithm{Kind::bcast, "chain", always, per_segment, chain, messages_of_chain},
    Algorithm{Kind::bcast, "scatter-allgather", always, per_rank, flat<scatter_allgather>,
              messages_of_scatter_allgather},
    Algorithm{Kind::bcast, "scatter-doubling", always, per_group, flat<scatter_doubling>,
              messages_of_scatter_doubling},
    Algorithm{.kind = Kind::bcast,
              .name = "node",
              .applies = always,
              .pieces = whole,
              .write = by_node<tree<2>, phases_of_binomial>,
              .messages = one_way,
              .by_node = true},
    Algorithm{.kind = Kind::bcast,
              .name = "node-scatter-allgather",
              .applies = always,
              .pieces = per_node,
              .write = by_node<scatter_allgather, phases_of_scatter_allgather>,
              .messages = messages_of_node_scatter_allgather,
              .by_node = true},
    Algorithm{.kind = Kind::bcast,
              .name = "multi-lane",
              .applies = always,
              .pieces = per_lane<Within::halving>,
              .write = by_lanes<Within::halving, tree<2>, phases_of_binomial>,
              .messages = messages_by_lanes<Within::halving, one_way>,
              .by_node = true},
    Algorithm{.kind = Kind::bcast,
              .name = "multi-lane-scatter-doubling",
              .applies = always,
              .pieces = per_group_in_lanes<Within::spread>,
              .write = by_lanes<Within::spread, scatter_doubling, phases_of_scatter_doubling>,
              .messages = messages_by_lanes<Within::spread, messages_of_scatter_doubling>,
              .by_node = true},
};

}  // namespace

std::span<const Algorithm> bcast_algorithms() { return list; }

}  // namespace carpool::collectives
