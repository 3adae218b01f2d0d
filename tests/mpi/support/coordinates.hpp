// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace carpool::tests {

/// Coordinates of a torus or mesh, computed here independently of Carpool's functions and of the
/// host's MPI_Cart_*. Ranks are numbered row-major, the last dimension fastest.
struct Torus {
    std::vector<int> dims;
    std::vector<int> periods;

    int size() const {
        int product = 1;
        for (int dim : dims) product *= dim;
        return product;
    }

    std::vector<int> coordinates(int rank) const {
        std::vector<int> at(dims.size());
        for (std::size_t k = dims.size(); k-- > 0; rank /= dims[k]) at[k] = rank % dims[k];
        return at;
    }

    /// The rank at coordinates + sign * offset; MPI_PROC_NULL off the mesh.
    int shifted(int rank, const int offset[], int sign) const {
        const auto at = coordinates(rank);
        int there = 0;
        for (std::size_t k = 0; k < dims.size(); ++k) {
            std::int64_t c = at[k] + std::int64_t{sign} * offset[k];
            if (periods[k]) c = (c % dims[k] + dims[k]) % dims[k];
            if (c < 0 || c >= dims[k]) return MPI_PROC_NULL;
            there = there * dims[k] + static_cast<int>(c);
        }
        return there;
    }
};

/// A list of t offsets in d dimensions.
struct Pattern {
    std::string name;
    int d;
    std::vector<int> offsets;  ///< flat, t*d

    int t() const { return static_cast<int>(offsets.size()) / d; }
    const int* offset(int i) const { return offsets.data() + static_cast<std::size_t>(i * d); }
};

/// For each position i, the source of block i of the receive buffer and the target of block i of
/// the send buffer.
struct Neighbors {
    std::vector<int> sources;
    std::vector<int> targets;
    std::vector<int> source_tags;  ///< the number of the edge among those from the same source
    std::vector<int> target_tags;
};

inline Neighbors neighbors_of(int rank, const Torus& torus, const Pattern& pattern) {
    Neighbors neighbors;
    for (int i = 0; i < pattern.t(); ++i) {
        neighbors.sources.push_back(torus.shifted(rank, pattern.offset(i), -1));
        neighbors.targets.push_back(torus.shifted(rank, pattern.offset(i), +1));
        neighbors.source_tags.push_back(i);
        neighbors.target_tags.push_back(i);
    }
    return neighbors;
}

}  // namespace carpool::tests
