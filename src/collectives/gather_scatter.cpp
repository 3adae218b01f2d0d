// SPDX-License-Identifier: MIT
#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/tree_stages.hpp"

#include <array>
#include <map>
#include <memory>
#include <utility>

namespace carpool::collectives {
namespace {

template <int radix>
void gather(Script& script) {
    const auto tree = tree_of<radix>(script, script.problem().root);
    gather_blocks(script, tree);
    if (tree.is_root()) script.keep_own();
}

/// Where the blocks of ranks lie, or are to be received, in a scatter.
PartsOf blocks_to_scatter(Script& script) {
    const int self = script.rank();
    const bool root = self == script.problem().root;
    return [&script, self, root](int rank) -> Parts {
        if (root) return {script.own(rank)};
        return {rank == self ? script.result() : script.temp_for(rank)};
    };
}

template <int radix>
void scatter(Script& script) {
    const auto tree = tree_of<radix>(script, script.problem().root);
    scatter(script, tree, blocks_to_scatter(script));
    if (tree.is_root()) script.keep_own();
}

/// Keeps the parts of each rank, so that it may be called again for the same rank.
PartsOf remembered(PartsOf held) {
    const auto known = std::make_shared<std::map<int, Parts>>();
    return [held = std::move(held), known](int rank) {
        const auto [at, is_new] = known->try_emplace(rank);
        if (is_new) at->second = held(rank);
        return at->second;
    };
}

void gather_by_node(Script& script) {
    const NodeTeams teams(script, script.problem().root);
    const bool at_root = script.rank() == script.problem().root;
    const auto held = remembered(blocks_to_gather(script, at_root));
    teams.gather(script, held);
    teams.between_leaders(script, Tree::depth_of(teams.count(), 2), [&] {
        gather(script, tree_of<2>(script, teams.root_node()),
               [&](int node) { return teams.parts_of(node, held); });
    });
    if (at_root) script.keep_own();
}

void scatter_by_node(Script& script) {
    const NodeTeams teams(script, script.problem().root);
    const auto held = remembered(blocks_to_scatter(script));
    teams.between_leaders(script, Tree::depth_of(teams.count(), 2), [&] {
        scatter(script, tree_of<2>(script, teams.root_node()),
                [&](int node) { return teams.parts_of(node, held); });
    });
    teams.scatter(script, held);
    if (script.rank() == script.problem().root) script.keep_own();
}

const std::array gathers{
    Algorithm{Kind::gather, "linear", always, whole, gather<0>, one_way},
    Algorithm{Kind::gather, "binomial", always, whole, gather<2>, one_way},
    Algorithm{.kind = Kind::gather,
              .name = "node",
              .applies = always,
              .pieces = whole,
              .write = gather_by_node,
              .messages = one_way,
              .by_node = true},
};

const std::array scatters{
    Algorithm{Kind::scatter, "linear", always, whole, scatter<0>, one_way},
    Algorithm{Kind::scatter, "binomial", always, whole, scatter<2>, one_way},
    Algorithm{.kind = Kind::scatter,
              .name = "node",
              .applies = always,
              .pieces = whole,
              .write = scatter_by_node,
              .messages = one_way,
              .by_node = true},
};

}  // namespace

std::span<const Algorithm> gather_algorithms() { return gathers; }
std::span<const Algorithm> scatter_algorithms() { return scatters; }

}  // namespace carpool::collectives
