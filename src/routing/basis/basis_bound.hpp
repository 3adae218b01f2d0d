// SPDX-License-Identifier: MIT
#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstddef>

namespace carpool::routing {

/// A lower bound on the number of vectors in a basis of a neighborhood, in O(t log t): n vectors
/// have 2^n sums; in a mesh dimension either sign needs vectors of its own, and so do the offsets
/// along each mesh dimension; and where the sizes of dimensions have a common prime factor, offsets
/// that span a space of rank r modulo this prime are not sums of fewer than r vectors.
std::size_t least_basis_size(const topology::Grid& grid,
                             const topology::Neighborhood& neighborhood);

}  // namespace carpool::routing
