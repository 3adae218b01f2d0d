#pragma once

#include "topology/graph.hpp"

#include <vector>

namespace carpool::arguments {

/// Ranks that a rank exchanges with, in the order of its blocks; MPI_PROC_NULL stands for nobody.
struct PeerList {
    const char* degree_name;
    const char* name;
    int degree;
    const int* ranks;
};

/// Is there none, or not of so many?
inline bool lacks_ranks(const PeerList& list) {
    return list.degree < 0 || (list.degree > 0 && list.ranks == nullptr);
}

/// No rank for nobody. Throws MPI_ERR_ARG or MPI_ERR_RANK, which name what is wrong.
std::vector<int> peers_of(const PeerList& list, int ranks);

/// The same as edges.
std::vector<topology::Edge> edges_of(const PeerList& list, int ranks);

}  // namespace carpool::arguments
