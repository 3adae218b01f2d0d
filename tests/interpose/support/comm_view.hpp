// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace interposed {

/// A communicator as one of its ranks sees it, with its neighbors in MPI's order if it has a
/// topology.
struct CommView {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0, ranks = 0;
    bool has_topology = false;
    bool is_grid = false;
    std::vector<int> sources, targets;

    int in() const { return static_cast<int>(sources.size()); }
    int out() const { return static_cast<int>(targets.size()); }

    /// Which of the blocks from the source at a position is received there: where both neighbors
    /// along a dimension are one rank, that which it sends the other way.
    int label_of_source(int position) const { return is_grid ? position ^ 1 : 0; }
    int label_of_target(int position) const { return is_grid ? position : 0; }
};

}  // namespace interposed
