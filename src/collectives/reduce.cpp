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
#include <vector>

namespace carpool::collectives {
namespace {

/// The root of a tree that sums in the order of ranks if that matters.
int ordered_root(const Problem& problem) { return problem.commutes ? problem.root : 0; }

void conclude_all(Script& script, const std::vector<Parts>& summands) {
    for (std::size_t i = 0; i < summands.size(); ++i)
        script.conclude(summands[i], script.result(static_cast<int>(i)));
}

/// Makes the sums the result of the root. If they are made on another rank, to keep the order of
/// ranks, that rank sends them to the root.
/// @param summands  empty on all ranks but `from`
void deliver(Script& script, int from, const std::vector<Parts>& summands) {
    const int root = script.problem().root;
    if (from == root)
        conclude_all(script, summands);
    else
        forward(script, from, root, script.sums(summands), script.all_results());
}

template <int radix>
void tree(Script& script) {
    const int root = ordered_root(script.problem());
    deliver(script, root, reduce(script, tree_of<radix>(script, root), script.all_own()));
}

/// A star sums in the order of ranks whatever its root is.
void linear(Script& script) {
    const auto star = tree_of<0>(script, script.problem().root);
    conclude_all(script, reduce(script, star, script.all_own()));
}

/// Sums piece by piece along the chain of ranks from the furthest from the root to the root.
void chain(Script& script) {
    const int root = ordered_root(script.problem());
    const int last = script.ranks() - 1;
    const int distance = script.away(-std::int64_t{root});
    std::vector<Parts> at_root;
    for (int i = 0; i < script.pieces(); ++i) {
        Parts of{script.own(i)};
        if (distance < last) {
            of.push_back(script.temp_like(of.front()));
            script.receive(i + last - 1 - distance, script.away(1), {of.back()});
        }
        if (distance > 0)
            script.send(i + last - distance, script.away(-1), {script.sum(of)});
        else
            at_root.push_back(of);
    }
    script.pass(script.pieces() + last);
    deliver(script, root, at_root);
}

/// Where the sums of pieces are collected.
Parts places_of_sums(Script& script, bool at_root) {
    return at_root ? script.all_results() : script.temps_like(script.all_own());
}

/// Recursive halving, then the leader of the root's group collects the sums (Rabenseifner 1997).
void rabenseifner(Script& script) {
    const int root = script.problem().root;
    const int rank = script.rank();
    const Folding folding(script.ranks());
    const int target = folding.group_of(root);
    const bool direct = folding.leads(root);
    const auto held = fold(script, folding, script.all_own());
    const auto own = sum_scattered(script, folding, Bits::near_first, one_by_one(held));
    const auto sums = places_of_sums(script, direct && rank == root);
    if (folding.leads(rank)) {
        const int piece = folding.reversed(folding.group_of(rank));
        script.conclude(own.front(), sums[static_cast<std::size_t>(piece)]);
    }
    collect(script, folding, Bits::near_first, one_by_one(sums), target);
    if (!direct) forward(script, folding.leader(target), root, sums, script.all_results());
}

/// Sums on the leaders of nodes, then along a tree of leaders.
void by_node(Script& script) {
    const int root = ordered_root(script.problem());
    const NodeTeams teams(script, root);
    const auto of_node = teams.reduce(script, script.all_own());
    std::vector<Parts> at_root;
    teams.between_leaders(script, Tree::depth_of(teams.count(), 2), [&] {
        at_root = reduce(script, tree_of<2>(script, teams.root_node()), script.sums(of_node));
    });
    deliver(script, root, at_root);
}

/// Each node shares out the block among its lanes, whose sums go along a tree to the root's node;
/// then they are collected on the root, or on the rank that makes sums in order.
template <Within within>
void by_lanes(Script& script) {
    const int root = script.problem().root;
    const int summing = ordered_root(script.problem());
    const Lanes lanes(script, within, summing);
    auto summands = lanes.sum_scattered(script, in_equal_lists(script.all_own(), lanes.count()));
    lanes.along(script, Tree::depth_of(lanes.nodes(), 2), [&] {
        summands = reduce(script, tree_of<2>(script, lanes.root_node()), script.sums(summands));
    });
    Parts sums;
    if (lanes.on_root_node())
        sums = places_of_sums(script, root == summing && script.rank() == root);
    if (!summands.empty()) script.conclude(summands.front(), sums[lanes.piece()]);
    lanes.collect_on_root(script, one_by_one(sums));
    if (root != summing) forward(script, summing, root, sums, script.all_results());
}

/// One message to the root from the rank that makes the sums, if that is another rank.
std::int64_t messages_of_delivery(const Problem& problem) {
    return ordered_root(problem) == problem.root ? 0 : 1;
}

std::int64_t messages_of_tree(const Problem& problem) {
    return one_way(problem) + messages_of_delivery(problem);
}

std::int64_t messages_of_chain(const Problem& problem) {
    return one_way(problem) * per_segment(problem) + messages_of_delivery(problem);
}

std::int64_t messages_of_rabenseifner(const Problem& problem) {
    const Folding folding(problem.ranks);
    return messages_of_followers(problem) + messages_of_leaders(problem) + folding.groups() - 1 +
           (folding.leads(problem.root) ? 0 : 1);
}

/// The sums of all lanes but one are collected on the root's node.
template <Within within>
std::int64_t messages_by_lanes(const Problem& problem) {
    return messages_within_lanes(problem, within) + messages_along_lanes<one_way>(problem, within) +
           lanes_of(problem, within) - 1 + messages_of_delivery(problem);
}

const std::array list{
    Algorithm{Kind::reduce, "linear", always, whole, linear, one_way},
    Algorithm{Kind::reduce, "binomial", always, whole, tree<2>, messages_of_tree},
    Algorithm{Kind::reduce, "4-nomial", always, whole, tree<4>, messages_of_tree},
    Algorithm{Kind::reduce, "chain", always, per_segment, chain, messages_of_chain},
    Algorithm{Kind::reduce, "rabenseifner", always, per_group, rabenseifner,
              messages_of_rabenseifner},
    Algorithm{.kind = Kind::reduce,
              .name = "node",
              .applies = if_nodes_sum_in_order,
              .pieces = whole,
              .write = by_node,
              .messages = messages_of_tree,
              .by_node = true},
    Algorithm{.kind = Kind::reduce,
              .name = "multi-lane",
              .applies = if_nodes_sum_in_order,
              .pieces = per_lane<Within::halving>,
              .write = by_lanes<Within::halving>,
              .messages = messages_by_lanes<Within::halving>,
              .by_node = true},
    Algorithm{.kind = Kind::reduce,
              .name = "multi-lane-spread",
              .applies = if_nodes_sum_in_order,
              .pieces = per_lane<Within::spread>,
              .write = by_lanes<Within::spread>,
              .messages = messages_by_lanes<Within::spread>,
              .by_node = true},
};

}  // namespace

std::span<const Algorithm> reduce_algorithms() { return list; }

}  // namespace carpool::collectives
