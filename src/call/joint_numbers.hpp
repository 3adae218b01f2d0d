#pragma once

#include "call/small_collective.hpp"
#include "mpi/comm_state.hpp"

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace carpool::call {

/// Numbers of all ranks, each combined with the others' at its place: an allreduce of our own.
class JointNumbers {
public:
    /// @param tag  used only until it has ended @param own  as many on all ranks
    /// @pre the state is ready, and outlives it
    JointNumbers(const mpi::CommState& state, int tag, std::vector<std::int64_t> own, MPI_Op op);
    JointNumbers(const JointNumbers&) = delete;  // its numbers are buffers
    JointNumbers& operator=(const JointNumbers&) = delete;

    /// One step without waiting; true at the end.
    bool test() { return reduction_.test(); }

    /// @pre ended
    std::vector<std::int64_t> take() { return std::move(joint_); }

private:
    std::vector<std::int64_t> own_;
    std::vector<std::int64_t> joint_;
    SmallCollective reduction_;
};

}  // namespace carpool::call
