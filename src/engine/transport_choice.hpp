// SPDX-License-Identifier: MIT
#pragma once

#include "engine/transports.hpp"
#include "mpi/comm/comm_state.hpp"

#include <optional>

namespace carpool::engine {

/// The transport that messages take.
enum class TransportChoice {
    automatic,  ///< through memory where ranks share it and a message is short, else by MPI
    mpi,
    shared,  ///< through memory wherever ranks share it
    other,   ///< automatic, but messages of some KiB to a MiB take the other transport
};

/// The transports of a communicator, the same on all ranks. The state must outlive whatever is made
/// with them.
/// @pre state.ready()
Transports transports_of(const mpi::CommState& state,
                         TransportChoice transport_choice = TransportChoice::automatic);

/// The tag of the first message from that rank that matches no posted receive. Allocates nothing.
/// @pre state.ready()
std::optional<int> unexpected_from(const mpi::CommState& state, int rank);

}  // namespace carpool::engine
