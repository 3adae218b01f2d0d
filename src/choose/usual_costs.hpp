#pragma once

#include "choose/machine.hpp"

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

/// The least time in seconds between two messages of the adapter of a node, as those of today have.
inline constexpr double usual_gap = 5e-8;

/// Seconds per byte to copy blocks that a rank forwards. Only collectives of all ranks pay for them
/// apart: for other calls the usual costs per byte were fitted to messages that are put together.
double usual_copies(MessageUse work);

/// The costs that `carpool tune` has measured on a machine.
struct TunedCosts {
    struct Levels {
        std::optional<CostModel> by_mpi, through_memory, between_nodes;

        /// The measured costs, and the usual ones for the others.
        UsualCosts over(const UsualCosts& usual) const;
    };

    std::array<Levels, 3> by_work;

    const Levels& of(MessageUse work) const { return by_work[static_cast<std::size_t>(work)]; }
};

}  // namespace carpool::choose
