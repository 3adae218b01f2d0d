// SPDX-License-Identifier: MIT
#pragma once

#include "topology/neighborhood.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace naive {

using Order = std::vector<int>;

/// The prefix trie of [1] §3.2 as the plain set of its prefixes. The planner is compared with it,
/// so it shares no code with the planner. Each edge counts as cost(coordinate).
template <typename Cost>
std::int64_t trie_cost(const carpool::topology::Neighborhood& neighborhood, const Order& order,
                       Cost cost) {
    std::set<std::vector<int>> prefixes;
    std::int64_t sum = 0;
    for (int i = 0; i < neighborhood.size(); ++i) {
        std::vector<int> prefix;
        for (const int k : order) {
            prefix.push_back(neighborhood[i][static_cast<std::size_t>(k)]);
            if (prefixes.insert(prefix).second) sum += cost(prefix.back());
        }
    }
    return sum;
}

inline std::int64_t one_move(int coordinate) { return coordinate == 0 ? 0 : 1; }
inline std::int64_t unit_moves(int coordinate) { return std::abs(std::int64_t{coordinate}); }

inline Order natural_order(int dimensions) {
    Order order(static_cast<std::size_t>(dimensions));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

/// The least cost over all d! orders.
template <typename Cost>
std::int64_t least_trie_cost(const carpool::topology::Neighborhood& neighborhood, Cost cost) {
    auto order = natural_order(neighborhood.dimensions());
    auto least = std::numeric_limits<std::int64_t>::max();
    do {
        least = std::min(least, trie_cost(neighborhood, order, cost));
    } while (std::next_permutation(order.begin(), order.end()));
    return least;
}

}  // namespace naive
