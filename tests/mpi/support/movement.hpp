// SPDX-License-Identifier: MIT
#pragma once

#include "collective.hpp"
#include "type_family.hpp"

#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

namespace carpool::tests {

/// A collective that moves blocks, with the arguments that all its ranks know.
struct Movement {
    Collective what;
    int ranks;
    int root;
    bool in_place;
    bool irregular;  ///< a v or w form whose blocks differ in size; some are empty
    int units;       ///< units of the family in a block
    const TypeFamily* family;
    unsigned seed;

    /// Units that one rank sends to another. Where the count depends on one of them only, the other
    /// does not matter.
    int units_in(int source, int target) const {
        if (!irregular || !is_irregular(what)) return units;
        if (in_place && source > target) std::swap(source, target);
        const unsigned x = seed * 31u + static_cast<unsigned>(source * 64 + target);
        const int choices[] = {0, units, 1, 2 * units + 1, 0, units / 2};
        return choices[x * 2654435761u % 1021u % 6u];
    }

    std::string text() const {
        return std::string(name_of(what)) + " of " + std::to_string(units) +
               (irregular ? " or so" : "") + " (" + family->name + "), root " +
               std::to_string(root) + (in_place ? ", in place" : "");
    }
};

/// Identifies a block among all blocks.
struct Origin {
    int source;
    int target;
};

/// The blocks that a rank sends, or receives, if that side is significant.
inline std::vector<Origin> origins_sent(const Movement& m, int rank) {
    std::vector<Origin> origins;
    const auto shape = described(m.what).send;
    if (!shape) return {};
    if (shape == Shape::one) return {{rank, 0}};
    for (int i = 0; i < m.ranks; ++i) origins.push_back({rank, i});
    return origins;
}

inline std::vector<Origin> origins_received(const Movement& m, int rank) {
    std::vector<Origin> origins;
    const auto shape = described(m.what).recv;
    const bool personal = kind_of(m.what) == collectives::Kind::alltoall;
    if (!shape) return {};
    if (shape == Shape::one)
        return {{m.root, kind_of(m.what) == collectives::Kind::bcast ? 0 : rank}};
    for (int i = 0; i < m.ranks; ++i) origins.push_back({i, personal ? rank : 0});
    return origins;
}

}  // namespace carpool::tests
