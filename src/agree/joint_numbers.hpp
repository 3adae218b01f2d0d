#pragma once

#include "agree/joint.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace carpool::agree {

/// Numbers of all ranks, combined at each place, once.
class JointNumbers {
public:
    /// @param tag  used only until it has ended @param own  as many on all ranks
    /// @pre the state is ready, and outlives it
    JointNumbers(const mpi::CommState& state, int tag, std::vector<std::int64_t> own, MPI_Op op)
        : joint_(state, std::move(own), op) {
        joint_.start(tag);
    }

    /// One step without waiting; true at the end.
    bool test() { return joint_.advance(); }

    void withdraw() { joint_.withdraw(); }
    std::vector<int> awaited() const { return joint_.awaited(); }

    /// @pre ended
    const std::vector<std::int64_t>& result() const { return joint_.result(); }

private:
    Joint<std::int64_t> joint_;
};

}  // namespace carpool::agree
