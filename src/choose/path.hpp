// SPDX-License-Identifier: MIT
#pragma once

#include "choose/phase_load.hpp"

#include <cstddef>
#include <vector>

namespace carpool::choose {

/// Finds the longest way through the phases of a schedule from what some of its ranks do.
class Path {
public:
    /// Adds what a rank does in each phase.
    /// @param of_node  how many ranks of the largest node do the same
    void add(const std::vector<PhaseLoad>& phases, double of_node);

    /// In each phase the most that any of the ranks does. A message that one of them sends is
    /// received by some rank, and the other way round. In a phase in which none of them does
    /// anything, as along a chain, others do what these do in the phases beside it.
    std::vector<PhaseLoad> found(const Machine& machine) const;

private:
    struct AdapterLoad {  // through the adapter of the node
        double messages = 0;
        double bytes = 0;
        void add(const Traffic& traffic, double times);
    };
    struct Phase {
        PhaseLoad most;
        AdapterLoad out;
        AdapterLoad in;
        double sent = 0;      ///< messages of the ranks of the node, also within it
        bool hand_on = true;  ///< all that have messages send some and receive some
    };

    std::vector<Phase> phases_;
};

}  // namespace carpool::choose
