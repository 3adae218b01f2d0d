// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/types/shape.hpp"
#include "routing/program.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace carpool::neighbor {

/// What this rank states about its ends of its edges: bytes per edge. Both ends of an edge must
/// state the same. The edges must outlive it.
struct EdgeEnds {
    int rank;
    const topology::Adjacency* edges;
    std::vector<std::int64_t> sent;      ///< per outgoing edge
    std::vector<std::int64_t> received;  ///< per incoming edge

    /// The blocks that arrive, per incoming edge, for error texts alone; may be left out.
    std::vector<mpi::Block> blocks = {};
};

/// The ends of a rank that sends and receives a block per edge.
EdgeEnds ends_of(int rank, const topology::Adjacency& edges, std::span<const mpi::Block> sent,
                 std::span<const mpi::Block> received);

/// The digests of all outgoing edges minus those of all incoming edges. The sum over all ranks is 0
/// if both ends of every edge agree, and hardly ever otherwise.
std::uint64_t balance(const EdgeEnds& ends);

/// Finds an edge whose two ends disagree, and returns the error text about it on the target rank of
/// the edge. Run when the balance shows that there is such an edge.
routing::Program<std::optional<std::string>> difference(EdgeEnds ends);

}  // namespace carpool::neighbor
