#pragma once

#include "routing/program.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace carpool::neighbor {

/// What the two ends of the edges of one rank say of them, in bytes per edge; both ends must say
/// the same.
struct EdgeEnds {
    int rank;
    const topology::Adjacency* edges;
    std::vector<std::int64_t> sent;      ///< per edge out
    std::vector<std::int64_t> received;  ///< per edge in
};

/// Digests of all edges out less those of all edges in: over all ranks the sum is 0 if both ends of
/// every edge say the same, and hardly ever otherwise.
std::uint64_t balance(const EdgeEnds& ends);

/// Finds an edge of which the ends differ: the sentence about it on the rank at its end. Called
/// when the balance says that there is one; the edges must outlive the program.
routing::Program<std::optional<std::string>> difference(EdgeEnds ends);

}  // namespace carpool::neighbor
