// SPDX-License-Identifier: MIT
#include "node_maps.hpp"
#include "other_families.hpp"
#include "simulated_ghosts.hpp"

#include <string>
#include <vector>

namespace families {
namespace {

using namespace carpool;
using schedule::SummandOrder;

class OnGhosts {
public:
    OnGhosts(const GhostSets& sets, const NodeMap& map, const routing::RouteOptions& options,
             Tally& tally)
        : sets_(sets), map_(map), options_(options), ghosts_(sets), tally_(tally) {}

    void verify() {
        for (const auto* rule : routing::graph_rules()) {
            const auto routes = ghosts_.routed(*rule, options_, map_.nodes.get());
            const std::string name(rule->name);
            verify(name + " update", {ghosts_.updates(routes), ghosts_.expected_update()});
            verify(name + " sum", sums(routes, SummandOrder::commuting, schedule::SumOrder::any));
        }
        const auto routes = ghosts_.routed(routing::direct, {}, nullptr);
        verify("direct sum in order",
               sums(routes, SummandOrder::in_order, schedule::SumOrder::exact));
    }

private:
    Exchange sums(const SimulatedGhosts::Routes& routes, SummandOrder summing,
                  schedule::SumOrder order) const {
        return {ghosts_.reductions(routes, summing), ghosts_.expected_reduction(), order};
    }

    void verify(const std::string& method, const Exchange& exchange) {
        const auto what = [&] {
            return sets_.shape + " on " + std::to_string(sets_.ranks()) + " ranks, " + map_.name;
        };
        tally_.verify(method, exchange, what, ghosts_.faults());
    }

    const GhostSets& sets_;
    const NodeMap& map_;
    routing::RouteOptions options_;
    SimulatedGhosts ghosts_;
    Tally& tally_;
};

}  // namespace

/// Each shape of ghosts on each number of ranks, with a map of nodes and options by turns.
void verify_ghosts(const Scope& scope, Tally& tally) {
    for (const int ranks : scope.ranks) {
        const auto maps = node_maps(ranks);
        RandomSource random(static_cast<std::uint64_t>(ranks));
        std::size_t turn = 0;
        for (const auto& shape : ghost_shapes())
            for (int i = 0; i < 3; ++i, ++turn) {
                const auto sets = random_ghosts(
                    shape, ranks, [&](int low, int high) { return random.between(low, high); });
                routing::RouteOptions options;
                options.theta = 1 + static_cast<int>(turn) % 4;
                options.carriers = 1 + static_cast<int>(turn) % 3;
                options.digits = {1 + static_cast<int>(turn) % 5, {}};
                OnGhosts(sets, maps[turn % maps.size()], options, tally).verify();
            }
    }
}

}  // namespace families
