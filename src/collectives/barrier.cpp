// SPDX-License-Identifier: MIT
#include "collectives/algorithm.hpp"
#include "collectives/conditions.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/spread.hpp"
#include "collectives/tree_stages.hpp"

#include <array>
#include <cstdint>

namespace carpool::collectives {
namespace {

/// A barrier is a sum of empty blocks: a rank that has the sum knows that all ranks have entered.

/// After phase p a rank knows that the 2^(p+1) ranks up to itself have entered (Hensgen, Finkel,
/// Manber, 1988).
void disseminate(Script& script, const Part& own) {
    Parts known{own};
    int phase = 0;
    for (std::int64_t distance = 1; distance < script.ranks(); distance *= 2) {
        const auto value = script.sum(known);
        const auto arrived = script.temp_like(value);
        script.send(phase, script.away(distance), {value});
        script.receive(phase++, script.away(-distance), {arrived});
        known = {arrived, value};
    }
    script.conclude(known, script.result());
}

void dissemination(Script& script) { disseminate(script, script.own()); }

/// All ranks send to all ranks.
void spread(Script& script) { spread_to_all(script, script.own()); }

void by_node(Script& script) {
    const NodeTeams teams(script, 0);
    const auto come = teams.reduce(script, {script.own()});
    teams.between_leaders(script, Tree::depth_of(teams.count(), 2),
                          [&] { disseminate(script, script.sum(come.front())); });
    teams.broadcast(script, {script.result()});
}

const std::array list{
    Algorithm{Kind::barrier, "dissemination", always, whole, dissemination, messages_of_bruck<2>},
    Algorithm{Kind::barrier, "spread", always, whole, spread, all_to_all},
    Algorithm{Kind::barrier, "tree", always, whole, reduce_bcast<2>, both_ways},
    Algorithm{Kind::barrier, "star", always, whole, reduce_bcast<0>, both_ways},
    Algorithm{.kind = Kind::barrier,
              .name = "node",
              .applies = always,
              .pieces = whole,
              .write = by_node,
              .messages = messages_by_node<messages_of_bruck<2>>,
              .by_node = true},
};

}  // namespace

std::span<const Algorithm> barrier_algorithms() { return list; }

}  // namespace carpool::collectives
