// SPDX-License-Identifier: MIT
#include "collectives/spread.hpp"

#include <cstddef>

namespace carpool::collectives {

Parts sum_spread(Script& script, const Parts& own) {
    return sum_spread(script, Groups(script.ranks(), script.ranks()), one_by_one(own)).front();
}

std::vector<Parts> sum_spread(Script& script, const Groups& groups, const std::vector<Parts>& own) {
    const int self = script.rank();
    const auto parts_for = [&](int rank) {
        const auto group = static_cast<std::size_t>(groups.group_of(rank));
        return groups.leads(rank) ? own[group] : Parts{};
    };
    const auto mine = parts_for(self);
    std::vector<Parts> by_rank(static_cast<std::size_t>(script.ranks()), mine);
    for (int distance = 1; distance < script.ranks(); ++distance) {
        const int to = script.away(distance);
        const int from = script.away(-distance);
        auto& arrived = by_rank[static_cast<std::size_t>(from)];
        arrived = script.temps_like(mine);
        script.send(0, to, parts_for(to));
        script.receive(0, from, arrived);
    }
    std::vector<Parts> summands(mine.size());
    for (const auto& parts : by_rank)
        for (std::size_t i = 0; i < parts.size(); ++i) summands[i].push_back(parts[i]);
    script.pass(1);
    return summands;
}

void scatter_spread(Script& script, const Groups& groups, const std::vector<Parts>& parts) {
    const int root = groups.leader(0);
    for (int group = 1; group < groups.groups(); ++group) {
        const auto& of_group = parts[static_cast<std::size_t>(group)];
        const int leader = groups.leader(group);
        if (script.rank() == root) script.send(0, leader, of_group);
        if (script.rank() == leader) script.receive(0, root, of_group);
    }
    script.pass(1);
}

void collect_spread(Script& script, const Groups& groups, const PartsTo& parts) {
    const int self = script.rank();
    for (int distance = 1; distance < script.ranks(); ++distance) {
        const int to = script.away(distance);
        const int from = script.away(-distance);
        if (groups.leads(self)) script.send(0, to, parts(groups.group_of(self), to));
        if (groups.leads(from)) script.receive(0, from, parts(groups.group_of(from), self));
    }
    script.pass(1);
}

void spread_to_all(Script& script, const Part& own) {
    const Parts to_each(static_cast<std::size_t>(script.ranks()), own);
    script.conclude(sum_spread(script, to_each), script.result());
}

}  // namespace carpool::collectives
