// SPDX-License-Identifier: MIT
#include "family.hpp"
#include "graph_exchange.hpp"
#include "graphs.hpp"
#include "node_maps.hpp"
#include "routing/rule.hpp"
#include "schedule/operation.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// Neighborhoods on graphs: every rule and operation, by classes of graphs.

namespace families {
namespace {

using namespace carpool;
void verify(const routing::Rule& rule, const GraphExchange& on, const std::string& what,
            Tally& tally) {
    tally.verify(std::string(rule.name) + " " + std::string(schedule::name_of(on.operation)),
                 {on.schedules(rule), on.expected()}, [&] { return what; });
}

/// Maps of nodes that differ in kind; all of them where ranks are few.
std::vector<NodeMap> some_node_maps(int ranks, const Scope& scope) {
    constexpr int few = 5;
    if (ranks <= std::min(few, scope.most_partitioned)) return node_maps(ranks, scope);
    std::vector<NodeMap> some;
    for (auto& map : node_maps(ranks))
        for (const char* name : {"one node", "nodes of 2", "nodes of 8", "nodes of 9, 1 and 2",
                                 "dealt out to 3 nodes", "random"})
            if (map.name == name) some.push_back(map);
    return some;
}

template <bool by_node>
void run(const Scope& scope, Tally& tally) {
    for (const int ranks : scope.ranks) {
        const auto maps = by_node ? some_node_maps(ranks, scope) : std::vector<NodeMap>(1);
        for (const auto& [name, targets] : graphs(ranks))
            for (const auto operation : schedule::operations())
                for (const auto& map : maps) {
                    const GraphExchange on{topology::graph_of_targets(targets), operation,
                                           options_for(ranks), 8, map.nodes};
                    for (const auto* rule : routing::graph_rules())
                        if (rule->knows_nodes == by_node)
                            verify(*rule, on,
                                   name + " of " + std::to_string(ranks) + ", " + map.name, tally);
                }
    }
}

constexpr std::array all_graph_families{
    Family{"graphs", run<false>},
    Family{"graphs_by_node", run<true>},
};

}  // namespace

std::span<const Family> graph_families() { return all_graph_families; }

}  // namespace families
