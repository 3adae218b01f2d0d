#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace carpool::routing {

/// Offsets on a grid as single numbers: a field of bits for each dimension. Where it is periodic
/// they are reduced to the shorter way round, so equal numbers lead to one rank.
class OffsetSpace {
public:
    using Offset = std::int64_t;

    /// Nothing where 64 bits do not hold all sums that a search for a basis may make.
    static std::optional<OffsetSpace> of(const topology::Grid& grid,
                                         const topology::Neighborhood& neighborhood);

    Offset packed(std::span<const int> offset) const;
    std::vector<int> unpacked(Offset offset) const;

    Offset plus(Offset a, Offset b) const;
    Offset minus(Offset a, Offset b) const;

    /// Do both have one sign, or a zero, in each dimension of a mesh? Then a route that takes both
    /// stays between its ends.
    bool agree(Offset a, Offset b) const;

    /// Does a route to the target, on a mesh, stay between its ends if it takes the step?
    bool leads_towards(Offset step, Offset target) const {
        return agree(step, minus(target, step));
    }

    /// The sums, and those that the step leads on to: ascending, each once. On a mesh a sum is only
    /// of use to steps that it agrees with.
    std::vector<Offset> with_step(std::vector<Offset> sums, Offset step) const;

    /// All steps that lead towards one of the targets, unless these may be more than `most`.
    std::optional<std::vector<Offset>> all_towards(std::span<const Offset> targets,
                                                   std::int64_t most) const;

private:
    struct Field {
        int shift;
        int width;
        int modulus;  // 0 where offsets never come round
        bool mesh;
    };

    static std::int64_t coordinate(const Field& field, Offset offset);
    static Offset placed(const Field& field, std::int64_t coordinate);

    std::vector<Field> fields_;
};

}  // namespace carpool::routing
