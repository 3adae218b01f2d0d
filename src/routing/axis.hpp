// SPDX-License-Identifier: MIT
#pragma once

#include "topology/neighborhood.hpp"

#include <vector>

namespace carpool::routing {

/// One dimension of a neighborhood: which coordinates occur, and which one each neighbor has.
struct Axis {
    std::vector<int> values;    ///< distinct, ascending
    std::vector<int> index_of;  ///< per neighbor, into values
};

/// Sorts by buckets in O(t) if coordinates lie close together, else by comparison in O(t log t).
Axis axis_of(const std::vector<int>& coordinates);
Axis axis_of(const topology::Neighborhood& neighborhood, int dimension);

/// C_k of [2] proposition 3.2: the number of distinct coordinates other than zero.
int nonzero_values(const Axis& axis);

}  // namespace carpool::routing
