// SPDX-License-Identifier: MIT
#pragma once

#include "topology/graph.hpp"

#include <vector>

namespace carpool::arguments {

/// Ranks that a rank exchanges with, in the order of its blocks. MPI_PROC_NULL stands for no rank.
struct PeerList {
    const char* degree_name;
    const char* name;
    int degree;
    const int* ranks;
};

/// Whether the degree is negative, or the array of ranks is missing.
inline bool lacks_ranks(const PeerList& list) {
    return list.degree < 0 || (list.degree > 0 && list.ranks == nullptr);
}

/// The ranks of the list, with topology::no_rank for MPI_PROC_NULL. Throws MPI_ERR_ARG or
/// MPI_ERR_RANK, with a text that names the wrong argument.
std::vector<int> peers_of(const PeerList& list, int ranks);

/// The same list as edges. Throws the same errors.
std::vector<topology::Edge> edges_of(const PeerList& list, int ranks);

}  // namespace carpool::arguments
