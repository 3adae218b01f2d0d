// SPDX-License-Identifier: MIT
#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/doubling.hpp"
#include "collectives/lanes.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/ring.hpp"
#include "collectives/spread.hpp"
#include "collectives/tree_stages.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace carpool::collectives {
namespace {

/// Sums pieces of all ranks, and makes the sums the content of `results` on all of them.
using Stage = void (*)(Script& script, const Parts& pieces, const Parts& results);

/// All ranks send to all ranks, which sum in the order of ranks.
void spread(Script& script, const Parts& pieces, const Parts&) {
    spread_to_all(script, pieces.front());
}

/// Runs a stage on all ranks.
template <Stage stage>
void flat(Script& script) {
    stage(script, script.all_own(), script.all_results());
}

void recursive_doubling(Script& script, const Parts& pieces, const Parts& results) {
    const Folding folding(script.ranks());
    const auto own = fold(script, folding, pieces);
    const auto summands = sum_everywhere(script, folding, own);
    for (std::size_t i = 0; i < summands.size(); ++i) script.conclude(summands[i], results[i]);
    unfold(script, folding, results);
}

/// Recursive halving, then doubling (Rabenseifner 1997).
void rabenseifner(Script& script, const Parts& pieces, const Parts& results) {
    const Folding folding(script.ranks());
    const auto held = fold(script, folding, pieces);
    const auto own = sum_scattered(script, folding, Bits::near_first, one_by_one(held));
    if (folding.leads(script.rank())) {
        const int piece = folding.reversed(folding.group_of(script.rank()));
        script.conclude(own.front(), results[static_cast<std::size_t>(piece)]);
    }
    collect(script, folding, Bits::near_first, one_by_one(results));
    unfold(script, folding, results);
}

/// Each piece goes round the ring twice: once to be summed, once to be distributed.
void ring(Script& script) {
    script.conclude(sum_round_ring(script, script.all_own()), script.result(script.rank()));
    collect_round_ring(script, one_by_one(script.all_results()));
}

int one_phase(int) { return 1; }

/// The phases of leaders that exchange parts `times` times for each bit.
template <int times>
int phases_of_doubling(int nodes) {
    return Folding(nodes).phases(times);
}

/// Sums on the leaders of nodes, runs the stage among leaders, and broadcasts within nodes.
template <Stage stage, int (*phases)(int nodes)>
void by_node(Script& script) {
    const NodeTeams teams(script, 0);
    const auto summands = teams.reduce(script, script.all_own());
    teams.between_leaders(script, phases(teams.count()),
                          [&] { stage(script, script.sums(summands), script.all_results()); });
    teams.broadcast(script, script.all_results());
}

/// Each node shares out the block among its lanes, a stage sums each piece along its lane, and
/// nodes collect the pieces.
template <Within within, Stage stage, int (*phases)(int nodes)>
void by_lanes(Script& script) {
    const Lanes lanes(script, within, 0);
    const auto own = in_equal_lists(script.all_own(), lanes.count());
    const auto results = in_equal_lists(script.all_results(), lanes.count());
    const auto summands = lanes.sum_scattered(script, own);
    lanes.along(script, phases(lanes.nodes()),
                [&] { stage(script, script.sums(summands), results[lanes.piece()]); });
    lanes.collect(script, results);
}

std::int64_t messages_of_rabenseifner(const Problem& problem) {
    return messages_of_leaders(problem) + messages_of_doubling(problem);
}

template <Within within, std::int64_t (*messages)(const Problem&)>
std::int64_t messages_by_lanes(const Problem& problem) {
    return 2 * messages_within_lanes(problem, within) +
           messages_along_lanes<messages>(problem, within);
}

std::int64_t messages_of_ring(const Problem& problem) { return 2 * all_to_all(problem); }

const std::array list{
    Algorithm{Kind::allreduce, "spread", always, whole, flat<spread>, all_to_all},
    Algorithm{Kind::allreduce, "recursive-doubling", always, whole, flat<recursive_doubling>,
              messages_of_doubling},
    Algorithm{Kind::allreduce, "rabenseifner", always, per_group, flat<rabenseifner>,
              messages_of_rabenseifner},
    Algorithm{Kind::allreduce, "ring", if_commutes, per_rank, ring, messages_of_ring},
    Algorithm{Kind::allreduce, "reduce-bcast", always, whole, reduce_bcast<2>, both_ways},
    Algorithm{Kind::allreduce, "star", always, whole, reduce_bcast<0>, both_ways},
    Algorithm{.kind = Kind::allreduce,
              .name = "node",
              .applies = if_nodes_sum_in_order,
              .pieces = whole,
              .write = by_node<recursive_doubling, phases_of_doubling<1>>,
              .messages = messages_by_node<messages_of_doubling>,
              .by_node = true},
    Algorithm{.kind = Kind::allreduce,
              .name = "node-spread",
              .applies = if_nodes_sum_in_order,
              .pieces = whole,
              .write = by_node<spread, one_phase>,
              .messages = messages_by_node<all_to_all>,
              .by_node = true},
    Algorithm{.kind = Kind::allreduce,
              .name = "node-rabenseifner",
              .applies = if_nodes_sum_in_order,
              .pieces = per_group_of_nodes,
              .write = by_node<rabenseifner, phases_of_doubling<2>>,
              .messages = messages_by_node<messages_of_rabenseifner>,
              .by_node = true},
    Algorithm{.kind = Kind::allreduce,
              .name = "multi-lane",
              .applies = if_nodes_sum_in_order,
              .pieces = per_lane<Within::halving>,
              .write = by_lanes<Within::halving, recursive_doubling, phases_of_doubling<1>>,
              .messages = messages_by_lanes<Within::halving, messages_of_doubling>,
              .by_node = true},
    Algorithm{.kind = Kind::allreduce,
              .name = "multi-lane-rabenseifner",
              .applies = if_nodes_sum_in_order,
              .pieces = per_group_in_lanes<Within::spread>,
              .write = by_lanes<Within::spread, rabenseifner, phases_of_doubling<2>>,
              .messages = messages_by_lanes<Within::spread, messages_of_rabenseifner>,
              .by_node = true},
};

}  // namespace

std::span<const Algorithm> allreduce_algorithms() { return list; }

}  // namespace carpool::collectives
