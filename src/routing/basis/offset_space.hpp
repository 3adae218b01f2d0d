// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::routing {

/// Offsets on a grid as single numbers, with a bit field for each dimension. In periodic dimensions
/// they are reduced to the shorter way around, so offsets to the same rank have the same number.
class OffsetSpace {
public:
    using Offset = std::int64_t;

    /// Returns nothing if 64 bits do not hold all sums that a search for a basis may make.
    static std::optional<OffsetSpace> of(const topology::Grid& grid,
                                         const topology::Neighborhood& neighborhood);

    Offset packed(std::span<const int> offset) const;
    std::vector<int> unpacked(Offset offset) const;

    Offset plus(Offset a, Offset b) const;
    Offset minus(Offset a, Offset b) const;

    /// Do both have the same sign, or does one have a zero, in each mesh dimension? Then a route
    /// that takes both stays between its ends.
    bool agree(Offset a, Offset b) const;

    /// Does a route to the target, on a mesh, stay between its ends if it takes the step?
    bool leads_towards(Offset step, Offset target) const {
        return agree(step, minus(target, step));
    }

    /// The sums, and those that the step leads to from them, ascending, each once. On a mesh the
    /// step is added only to sums that it agrees with.
    std::vector<Offset> with_step(std::vector<Offset> sums, Offset step) const;

    /// All steps that lead towards one of the targets, or nothing if there may be more than `most`.
    std::optional<std::vector<Offset>> all_towards(std::span<const Offset> targets,
                                                   std::int64_t most) const;

private:
    struct Field {
        int shift;
        int width;
        int modulus;  // 0 where offsets never wrap around
        bool mesh;
    };

    static std::int64_t coordinate(const Field& field, Offset offset);
    static Offset placed(const Field& field, std::int64_t coordinate);

    std::vector<Field> fields_;
};

}  // namespace carpool::routing
