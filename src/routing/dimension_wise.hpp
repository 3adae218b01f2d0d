// SPDX-License-Identifier: MIT
#pragma once

#include "routing/axis.hpp"
#include "routing/plan.hpp"
#include "routing/split.hpp"
#include "topology/neighborhood.hpp"

#include <vector>

namespace carpool::routing {

/// Routes every block along one dimension after the other; the split divides each coordinate into
/// hops.
///
/// This plans the rules torus ([1] §3), cartesian ([1] §5, [2] §3) and every rule that differs from
/// them only in the split. Alltoall moves each block by itself; allgather moves one block along the
/// tree of common prefixes. O(td) for alltoall plus one operation per move.
Plan plan_dimension_wise(const topology::Neighborhood& neighborhood, Pattern pattern,
                         const Split& split);

/// A part of all routes that runs along one direction, and how many times each neighbor's route
/// takes that direction. Along a dimension these numbers are the neighbors' coordinates. A leg that
/// is merged from several has no common direction, so it lists its hops.
struct Leg {
    std::vector<int> direction;
    Axis axis;
    std::vector<std::vector<int>> hops = {};  ///< for values 1, 2, ..; none if along `direction`

    /// The vector by which a block moves for a value of the axis.
    std::vector<int> hop(int value) const;
};

/// The direction along a dimension.
std::vector<int> unit_vector(int dimensions, int dimension);

/// Routes every block along one leg after the other; legs need not run along dimensions. Alltoall
/// takes the legs in the given order, allgather in the order that makes the tree smallest.
Plan plan_along(const std::vector<Leg>& legs, int dimensions, int neighbors, Pattern pattern,
                const Split& split);

/// The split into a single hop of the whole coordinate.
std::vector<Step> one_hop(int coordinate);

}  // namespace carpool::routing
