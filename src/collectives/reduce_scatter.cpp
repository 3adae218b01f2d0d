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
#include <vector>

namespace carpool::collectives {
namespace {

/// Blocks are sent directly to their ranks, which sum in the order of ranks.
void spread(Script& script) {
    script.conclude(sum_spread(script, script.all_own()), script.result());
}

void ring(Script& script) {
    script.conclude(sum_round_ring(script, script.all_own()), script.result());
}

/// @param of_ranks  the parts to be summed for each rank
/// @param results   where the sums of this rank are to lie
void halve(Script& script, const std::vector<Parts>& of_ranks, const Parts& results) {
    const Folding folding(script.ranks());
    const auto bits = bits_of(script.problem());
    const auto folded = in_lists_like(fold(script, folding, joined(of_ranks)), of_ranks);
    const auto own = sum_scattered(script, folding, bits, by_group(folding, bits, folded));
    Parts handed;
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (i < results.size())
            script.conclude(own[i], results[i]);
        else
            handed.push_back(script.sum(own[i]));
    }
    unfold(script, folding, [&](int) { return handed; }, results);
}

void recursive_halving(Script& script) {
    halve(script, one_by_one(script.all_own()), {script.result()});
}

/// Places for the sums that belong to ranks: this rank's result, and a temporary place for each
/// other rank, made when it is first asked for.
class Results {
public:
    explicit Results(Script& script)
        : script_(script), self_(script.rank()), of_(static_cast<std::size_t>(script.ranks())) {}

    const Parts& of(int rank) {
        auto& result = of_[static_cast<std::size_t>(rank)];
        if (result.empty()) result = {rank == self_ ? script_.result() : script_.temp_for(rank)};
        return result;
    }

private:
    Script& script_;
    int self_;
    std::vector<Parts> of_;
};

/// Combines the sums of nodes on their leaders, each of which gets those for the ranks of its node.
void by_node(Script& script) {
    const NodeTeams teams(script, 0);
    const auto summands = teams.reduce(script, script.all_own());
    Results results(script);
    const PartsOf result_of = [&](int rank) { return results.of(rank); };
    teams.between_leaders(script, Folding(teams.count()).phases(1), [&] {
        const auto sums = script.sums(summands);
        std::vector<Parts> of_nodes;
        for (int node = 0; node < teams.count(); ++node)
            of_nodes.push_back(teams.parts_of(
                node, [&](int rank) { return Parts{sums[static_cast<std::size_t>(rank)]}; }));
        halve(script, of_nodes, teams.parts_of(script.rank(), result_of));
    });
    teams.scatter(script, result_of);
}

/// Each node shares out the blocks of all ranks among its lanes, each of which halves those of its
/// own ranks between nodes.
template <Within within>
void by_lanes(Script& script) {
    const Lanes lanes(script, within, 0);
    const PartsOf own = [&](int rank) { return Parts{script.own(rank)}; };
    Results results(script);
    const PartsOf result_of = [&](int rank) { return results.of(rank); };
    const auto summands = lanes.sum_scattered(script, lanes.parts_by_lane(own));
    lanes.along(script, Folding(lanes.nodes()).phases(1), [&] {
        const auto of_nodes = in_lists_like(script.sums(summands), lanes.parts_by_node(own));
        halve(script, of_nodes, lanes.parts_of_group(result_of));
    });
    lanes.hand_out(script, result_of);
}

bool if_nodes_sum_few_in_order(const Problem& problem) {
    return if_few_on_nodes(problem) && if_nodes_sum_in_order(problem);
}

template <int radix>
void by_root(Script& script) {
    const auto tree = tree_of<radix>(script);
    const auto summands = reduce(script, tree, script.all_own());
    scatter(script, tree, [&](int rank) -> Parts {
        if (!tree.is_root())
            return {rank == script.rank() ? script.result() : script.temp_for(rank)};
        const auto& of = summands[static_cast<std::size_t>(rank)];
        if (rank != script.rank()) return {script.sum(of)};
        script.conclude(of, script.result());
        return {script.result()};
    });
}

template <Within within>
std::int64_t messages_by_lanes(const Problem& problem) {
    return messages_within_lanes(problem, within) + messages_of_lane_followers(problem, within) +
           messages_along_lanes<messages_of_doubling>(problem, within);
}

const std::array list{
    Algorithm{Kind::reduce_scatter, "spread", always, whole, spread, all_to_all},
    Algorithm{Kind::reduce_scatter, "recursive-halving", always, whole, recursive_halving,
              messages_of_doubling},
    Algorithm{Kind::reduce_scatter, "ring", if_commutes, whole, ring, all_to_all},
    Algorithm{Kind::reduce_scatter, "reduce-scatter", if_few, whole, by_root<2>, both_ways},
    Algorithm{Kind::reduce_scatter, "star", if_few, whole, by_root<0>, both_ways},
    Algorithm{.kind = Kind::reduce_scatter,
              .name = "node",
              .applies = if_nodes_sum_few_in_order,
              .pieces = whole,
              .write = by_node,
              .messages = messages_by_node<messages_of_doubling>,
              .by_node = true},
    Algorithm{.kind = Kind::reduce_scatter,
              .name = "multi-lane",
              .applies = if_nodes_sum_in_order,
              .pieces = whole,
              .write = by_lanes<Within::halving>,
              .messages = messages_by_lanes<Within::halving>,
              .by_node = true},
    Algorithm{.kind = Kind::reduce_scatter,
              .name = "multi-lane-spread",
              .applies = if_nodes_sum_in_order,
              .pieces = whole,
              .write = by_lanes<Within::spread>,
              .messages = messages_by_lanes<Within::spread>,
              .by_node = true},
};

}  // namespace

std::span<const Algorithm> reduce_scatter_algorithms() { return list; }

}  // namespace carpool::collectives
