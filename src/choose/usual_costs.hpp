#pragma once

#include "choose/machine.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace carpool::choose {

/// For what costs are reckoned: neighborhoods, graphs and lists, exchanges with unknown sources, or
/// collectives of all ranks. Their messages are watched in other ways, and take other times.
enum class MessageUse { neighborhoods, exchanges, collectives };

/// What messages cost where nobody says: by MPI on one node, through memory, and between nodes.
struct UsualCosts {
    CostModel by_mpi;
    CostModel through_memory;
    CostModel between_nodes;
};

/// As fits the MPI that runs.
const UsualCosts& usual_costs(MessageUse work, bool open_mpi);

/// What was measured on a machine (`carpool tune`), where it was.
struct TunedCosts {
    struct Levels {
        std::optional<CostModel> by_mpi, through_memory, between_nodes;

        /// These, and the others as they are usually.
        UsualCosts over(const UsualCosts& usual) const;
    };

    std::array<Levels, 3> by_work;

    const Levels& of(MessageUse work) const { return by_work[static_cast<std::size_t>(work)]; }
};

}  // namespace carpool::choose
