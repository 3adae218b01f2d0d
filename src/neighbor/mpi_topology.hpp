#pragma once

#include "topology/graph.hpp"
#include "topology/isomorphism.hpp"

#include <mpi.h>

#include <optional>

namespace carpool::neighbor {

/// The neighbors of a rank in a topology of MPI.
struct MpiTopology {
    topology::Adjacency edges;
    std::optional<topology::Isomorphism> isomorphism;  ///< of a Cartesian communicator
};

/// Reads the topology of a communicator; throws MPI_ERR_TOPOLOGY if it has none. Local.
MpiTopology read_topology(MPI_Comm comm);

}  // namespace carpool::neighbor
