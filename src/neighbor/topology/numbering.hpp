// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/comm/comm_state.hpp"
#include "mpi/handle.hpp"
#include "topology/mapping.hpp"

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

namespace carpool::neighbor {

/// The ranks (positions) that the processes of a communicator get in a communicator made from it.
class Numbering {
public:
    /// Keeps the ranks.
    /// @param state  the state of comm, ready
    Numbering(MPI_Comm comm, std::shared_ptr<mpi::CommState> state);

    /// Uses the positions that rank 0 finds and broadcasts; keeps the ranks if rank 0 has too
    /// little memory to find them.
    /// @note Collective
    Numbering(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
              const std::function<topology::Mapping()>& find);

    /// The position of a rank.
    int position(int rank) const { return positions_[static_cast<std::size_t>(rank)]; }

    bool is_mapped() const { return mapped_; }

    /// A communicator whose ranks are the positions: that of the channel, if it has these ranks. It
    /// lives as long as this object.
    MPI_Comm comm() const { return comm_; }

    /// Gives a communicator made from comm() the error handler of the original communicator.
    void give_handler(MPI_Comm made) const;

    const std::shared_ptr<mpi::CommState>& state() const { return state_; }

private:
    void find_comm();

    MPI_Comm original_;
    std::shared_ptr<mpi::CommState> state_;
    std::vector<int> positions_;
    bool mapped_ = false;
    mpi::Comm own_;  // if no existing communicator has these ranks
    MPI_Comm comm_;
};

}  // namespace carpool::neighbor
