// SPDX-License-Identifier: MIT
#pragma once

#include "routing/plan.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"

#include <span>
#include <vector>

namespace carpool::schedule {

/// The blocks that arrive at a rank and leave it, on a grid with borders.
///
/// A block takes its route only if it has an origin and, beyond the stop in question, a target on
/// the mesh. Both follow from coordinates, so sender and receiver agree without a message.
class Presence {
public:
    /// Outward, blocks go from the root of the plan to its leaves. Inward, sums go from the leaves
    /// to the root: then `arrives` says that the sum of a stop is made on this rank, `leaves` that
    /// this rank receives it.
    enum class Way { outward, inward };

    /// @param here  coordinates of the rank
    Presence(const routing::Plan& plan, const topology::Grid& grid,
             const topology::Neighborhood& neighborhood, std::span<const int> here,
             Way way = Way::outward);

    /// Whether the block of this stop arrives on this rank.
    bool arrives(int stop) const { return everywhere_ || arrives_[static_cast<std::size_t>(stop)]; }

    /// Whether it is sent from this rank, on the move that makes this stop.
    bool leaves(int stop) const { return everywhere_ || leaves_[static_cast<std::size_t>(stop)]; }

private:
    bool everywhere_;
    std::vector<bool> arrives_;
    std::vector<bool> leaves_;
};

}  // namespace carpool::schedule
