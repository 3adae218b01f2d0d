// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/topology.hpp"
#include "topology/graph.hpp"
#include "topology/isomorphism.hpp"

#include <mpi.h>

#include <optional>

namespace carpool::neighbor {

/// The neighbors of a rank in an MPI topology.
struct MpiTopology {
    topology::Adjacency edges;
    std::optional<topology::Isomorphism> isomorphism;  ///< for a Cartesian communicator
};

using mpi::kind_of_topology;

/// Throws MPI_ERR_TOPOLOGY, on all ranks, if a communicator has no topology. Local.
void check_topology(MPI_Comm comm);

/// Reads the topology of a communicator. Local. @pre check_topology
MpiTopology read_topology(MPI_Comm comm);

}  // namespace carpool::neighbor
