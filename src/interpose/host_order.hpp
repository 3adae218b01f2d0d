// SPDX-License-Identifier: MIT
#pragma once

#include "interpose/mpi_operations.generated.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <iterator>

namespace carpool::interpose {

/// How MPI's functions return: at the end, at once, or once they are planned.
enum class Form { blocking, nonblocking, persistent };

/// Whether the host's collectives put blocks where MPI says, if several neighbors of a rank are one
/// rank (MPI 4.1, section 8.6): some hosts exchange two blocks, or reverse their order. A
/// program must not find them elsewhere once Carpool makes its calls, so there the host goes on.
///
/// Found out once in a process, by exchanges of the process with itself.
class HostOrder {
public:
    static const HostOrder& of_process();

    /// Whether blocks are right on a torus with one or two ranks along a dimension.
    bool right_on_short_torus(MpiOperation operation, Form form) const {
        return short_torus_[static_cast<std::size_t>(form)][index_of(operation)];
    }

    /// Whether blocks are right on a graph that lists an edge more than once.
    bool right_with_repeated_edges() const { return repeated_edges_; }

private:
    HostOrder();

    using Right = std::bitset<std::size(names_of_operations)>;
    std::array<Right, 3> short_torus_;  // by form
    bool repeated_edges_ = false;
};

}  // namespace carpool::interpose
