#pragma once

#include "agree/joint.hpp"
#include "agree/node_barrier.hpp"
#include "mpi/comm_state.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace carpool::agree {

/// Whether a number of each rank's is 0 in sum over all, call after call: by a counting barrier,
/// where there are some, and then of the low bits alone; else by an allreduce.
class JointBalance {
public:
    /// @param barrier  of the communicator, opened on all ranks or on none
    /// @pre the state is ready, and outlives it
    JointBalance(const mpi::CommState& state, std::shared_ptr<NodeBarrier> barrier,
                 std::uint64_t number);
    JointBalance(const JointBalance&) = delete;
    JointBalance& operator=(const JointBalance&) = delete;
    ~JointBalance() { withdraw(); }

    /// @param turn  of the call @param tag  of the allreduce, used until the end
    void start(std::int64_t turn, int tag);

    /// One step without waiting; true at the end.
    bool advance();

    /// @pre ended
    bool is_zero() const { return is_zero_; }

    bool under_way() const { return under_way_; }

    /// Gives up what is under way.
    void withdraw();

    /// Who may be missing: in a counting barrier it does not tell.
    std::vector<int> awaited() const;

private:
    shared::CountingBarrier& calls() const { return *barrier_->calls(); }
    void end(bool is_zero);

    const mpi::CommState& state_;
    std::shared_ptr<NodeBarrier> barrier_;
    std::uint64_t number_;
    std::optional<Joint<std::int64_t>> sum_;  // where there are no counting barriers
    std::int64_t turn_ = 0;
    bool under_way_ = false;
    bool is_zero_ = false;
};

}  // namespace carpool::agree
