#pragma once

#include "agree/joint.hpp"
#include "base/rank_visitor.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace carpool::agree {

/// One allreduce of a few numbers, which the constructor starts.
class JointNumbers {
public:
    /// @param tag  in use only until the end
    /// @param own  this rank's input, equally long on all ranks
    /// @pre the state is ready, and outlives this object
    JointNumbers(const mpi::CommState& state, int tag, std::vector<std::int64_t> own, MPI_Op op)
        : joint_(state, std::move(own), op) {
        joint_.start(tag);
    }

    /// Takes one step without waiting; returns true at the end.
    bool test() { return joint_.advance(); }

    void withdraw() { joint_.withdraw(); }
    void visit_awaited(const base::RankVisitor& visit) const { joint_.visit_awaited(visit); }

    /// @pre test() has returned true
    const std::vector<std::int64_t>& result() const { return joint_.result(); }

private:
    Joint<std::int64_t> joint_;
};

}  // namespace carpool::agree
