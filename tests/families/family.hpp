// SPDX-License-Identifier: MIT
#pragma once

#include "tally.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace families {

/// How much of a family is enumerated.
struct Scope {
    std::vector<int> ranks;  ///< numbers of ranks
    int most_partitioned;    ///< up to so many ranks, all partitions of the ranks into nodes
};

/// Schedules that have one way of being made, for all numbers of ranks.
struct Family {
    std::string_view name;
    void (*run)(const Scope& scope, Tally& tally);
};

std::span<const Family> collective_families();
std::span<const Family> grid_families();
std::span<const Family> graph_families();
std::span<const Family> other_families();

}  // namespace families
