#pragma once

#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <cstddef>

namespace carpool::routing {

/// So many vectors at least are in a basis of a neighborhood: n vectors have 2^n sums; in a
/// dimension of a mesh either sign needs vectors of its own, and so do the offsets along each one;
/// and where sizes of dimensions have a common prime factor, offsets of rank r modulo it are no
/// sums of fewer than r. O(t log t).
std::size_t least_basis_size(const topology::Grid& grid,
                             const topology::Neighborhood& neighborhood);

}  // namespace carpool::routing
