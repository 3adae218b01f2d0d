// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace carpool::choose {

/// The kind of calls for which costs are estimated: neighborhoods, graphs and lists; exchanges with
/// unknown sources; or collectives of all ranks. These kinds watch messages differently, so
/// messages take different times.
enum class MessageUse { neighborhoods, exchanges, collectives };

/// The default costs of messages: by MPI on one node, through memory, and between nodes.
struct UsualCosts {
    CostModel by_mpi;
    CostModel through_memory;
    CostModel between_nodes;
};

/// The usual costs for the host MPI.
const UsualCosts& usual_costs(MessageUse work, bool open_mpi);

/// Seconds per byte to put blocks into a message, or to take them out, where nothing was measured.
inline constexpr double usual_copy_per_end = usual_copy_per_byte / 2;

/// The costs of a machine where messages cost that within a node and between nodes, and blocks cost
/// that where they are copied and added. Only collectives of all ranks pay for copies apart: for
/// other calls the costs per byte are fitted to messages that are put together. In collectives one
/// rank can use up the adapter of its node, as with TCP between hosts of one machine.
Costs costs_of(MessageUse work, const CostModel& node, const CostModel& network,
               double copy_per_byte, double sum_per_byte);

/// The costs that `carpool tune` has measured on a machine.
struct TunedCosts {
    struct Levels {
        std::optional<CostModel> by_mpi, through_memory, between_nodes;

        /// The measured costs, and the usual ones for the others.
        UsualCosts over(const UsualCosts& usual) const;
    };

    std::array<Levels, 3> by_work;

    /// What copies and sums cost, in seconds per byte.
    std::optional<double> copy_per_byte = {}, sum_per_byte = {};

    const Levels& of(MessageUse work) const { return by_work[static_cast<std::size_t>(work)]; }
};

}  // namespace carpool::choose
