#pragma once

#include "routing/axis.hpp"
#include "routing/plan.hpp"
#include "routing/split.hpp"
#include "topology/neighborhood.hpp"

#include <vector>

namespace carpool::routing {

/// Routes every block one dimension after the other, each coordinate as the split divides it.
///
/// The planner of torus ([1] §3), cartesian ([1] §5, [2] §3) and every rule that differs from them
/// in the split alone. Alltoall moves each block by itself; allgather moves one block along the
/// tree of common prefixes. O(td) for alltoall plus one operation per move.
Plan plan_dimension_wise(const topology::Neighborhood& neighborhood, Pattern pattern,
                         const Split& split);

/// A part of all routes that runs along one direction: how many times each neighbor takes it. Along
/// a dimension these are coordinates. Several parts made one have no common direction, so they list
/// their hops.
struct Leg {
    std::vector<int> direction;
    Axis axis;
    std::vector<std::vector<int>> hops = {};  ///< that of value 1, 2, ..; none if along `direction`

    /// The vector of a value of the axis.
    std::vector<int> hop(int value) const;
};

/// The direction of a dimension.
std::vector<int> unit_vector(int dimensions, int dimension);

/// The same for routes of any legs, which need not run along dimensions. Alltoall takes them as
/// they come, allgather in the order that makes the tree smallest.
Plan plan_along(const std::vector<Leg>& legs, int dimensions, int neighbors, Pattern pattern,
                const Split& split);

/// One hop of the whole coordinate.
std::vector<Step> one_hop(int coordinate);

}  // namespace carpool::routing
