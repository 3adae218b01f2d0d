#pragma once

#include "mpi/comm_state.hpp"
#include "mpi/handle.hpp"
#include "topology/mapping.hpp"

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

namespace carpool::neighbor {

/// Which rank each process of a communicator has in one that is made of it: its position.
class Numbering {
public:
    /// The same ranks. @param state  of comm, ready
    Numbering(MPI_Comm comm, std::shared_ptr<mpi::CommState> state);

    /// What rank 0 finds and tells all; the same ranks where it has no memory to find it.
    /// @note Collective
    Numbering(MPI_Comm comm, std::shared_ptr<mpi::CommState> state,
              const std::function<topology::Mapping()>& find);

    /// The position of a rank.
    int position(int rank) const { return positions_[static_cast<std::size_t>(rank)]; }

    bool is_mapped() const { return mapped_; }

    /// Its ranks are the positions; it lives as long as this. Apart from the channel where they are
    /// not its ranks.
    MPI_Comm comm() const { return comm_; }

    /// Gives a communicator made of that one the error handler of the original.
    void give_handler(MPI_Comm made) const;

    const std::shared_ptr<mpi::CommState>& state() const { return state_; }

private:
    void find_comm();

    MPI_Comm original_;
    std::shared_ptr<mpi::CommState> state_;
    std::vector<int> positions_;
    bool mapped_ = false;
    mpi::Comm own_;  // where no other has these ranks
    MPI_Comm comm_;
};

}  // namespace carpool::neighbor
