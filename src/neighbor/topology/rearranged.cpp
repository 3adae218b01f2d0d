// SPDX-License-Identifier: MIT
#include "neighbor/topology/rearranged.hpp"

#include "choose/overload.hpp"

#include <utility>

namespace carpool::neighbor {
namespace {

/// The rearranged keys for one key; empty if its topology is not planned yet, or not overloaded.
std::vector<Routes::Key> rearranged(const Routes::Key& key, const Topology& topology) {
    const auto& routes = topology.routes();
    const auto* by_number = routes.find(key);
    const auto* direct = routes.find({&routing::direct, key.flow});
    if (by_number == nullptr || direct == nullptr ||
        !overloaded(by_number->load, by_number->of_all, topology.ranks(), direct->load))
        return {};
    std::vector<Routes::Key> unknown;
    std::vector<Routes::Key> best;
    const auto* least = by_number;
    for (int arrangement = 1; arrangement <= choose::arrangements; ++arrangement) {
        auto other = key;
        other.options.arrangement = arrangement;
        const auto* route = routes.find(other);
        if (route == nullptr) {
            unknown.push_back(std::move(other));
        } else if (clearly_less(route->load, by_number->load) &&
                   weight(route->load) < weight(least->load)) {
            least = route;
            best = {std::move(other)};
        }
    }
    return unknown.empty() ? best : unknown;
}

}  // namespace

std::vector<Routes::Key> with_rearranged(std::vector<Routes::Key> keys, const Topology& topology,
                                         const NeighborSettings& settings) {
    if (!settings.rearrange) return keys;
    for (std::size_t i = 0, end = keys.size(); i < end; ++i)
        if (keys[i].rule->rearranges)
            for (auto& other : rearranged(keys[i], topology)) keys.push_back(std::move(other));
    return keys;
}

}  // namespace carpool::neighbor
