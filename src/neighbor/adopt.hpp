#pragma once

#include "neighbor/topology.hpp"

#include <mpi.h>

#include <memory>

namespace carpool::neighbor {

/// The neighborhood of a communicator: one that Carpool has made or, found at the first call, that
/// of its MPI topology (Cartesian, graph or distributed graph), in MPI's order of neighbors.
///
/// The first call checks that both ends of every edge know it, and recognises a graph that is one
/// neighborhood on a torus or mesh ([2] §2.2): one rank tells its neighbors to all, and all
/// compare.
/// @note Collective at the first call, also that on a duplicate, and synchronising. Throws alike on
/// all ranks.
std::shared_ptr<Topology> adopted(MPI_Comm comm);

}  // namespace carpool::neighbor
