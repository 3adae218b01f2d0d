// SPDX-License-Identifier: MIT
#pragma once

#include "random_source.hpp"
#include "topology/nodes.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

using NodeNames = std::vector<std::uint64_t>;

inline std::shared_ptr<const carpool::topology::Nodes> nodes_of(const NodeNames& names) {
    return std::make_shared<const carpool::topology::Nodes>(names);
}

/// Nodes of `node` consecutive ranks each; the last one may have fewer.
inline std::shared_ptr<const carpool::topology::Nodes> nodes_in_a_row(int ranks, int node) {
    NodeNames names;
    for (int rank = 0; rank < ranks; ++rank)
        names.push_back(static_cast<std::uint64_t>(rank / node));
    return nodes_of(names);
}

/// One node up to as many nodes as ranks, with any ranks on each: sizes differ, some nodes have one
/// rank, ranks are in any order.
inline std::shared_ptr<const carpool::topology::Nodes> random_nodes(int ranks,
                                                                    RandomSource& random) {
    if (random.one_in(3)) return nodes_in_a_row(ranks, random.between(1, ranks));
    const int most = random.between(0, ranks - 1);
    NodeNames names;
    for (int rank = 0; rank < ranks; ++rank)
        names.push_back(static_cast<std::uint64_t>(random.between(0, most)));
    if (random.one_in(3)) std::sort(names.begin(), names.end());
    return nodes_of(names);
}
