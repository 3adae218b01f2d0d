// SPDX-License-Identifier: MIT
#pragma once

#include "agree/allreduce.hpp"
#include "agree/node_barrier.hpp"
#include "base/rank_visitor.hpp"
#include "mpi/comm/comm_state.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace carpool::agree {

/// Finds out, call after call, whether the numbers of all ranks sum to 0: by a counting barrier
/// where there is one, which only looks at the low bits of the sum; else by an allreduce.
class BalanceCheck {
public:
    /// @param barrier  the communicator's, opened on all ranks or on none
    /// @pre the state is ready, and outlives this object
    BalanceCheck(const mpi::CommState& state, std::shared_ptr<NodeBarrier> barrier);
    BalanceCheck(const BalanceCheck&) = delete;
    BalanceCheck& operator=(const BalanceCheck&) = delete;
    ~BalanceCheck() { withdraw(); }

    /// @param episode  the number of the call on the communicator
    /// @param tag  the allreduce's, in use until the end
    /// @param number  this rank's summand
    void start(std::int64_t episode, int tag, std::uint64_t number);

    /// Takes one step without waiting; returns true at the end.
    bool advance();

    /// @pre advance() has returned true
    bool is_zero() const { return is_zero_; }

    bool under_way() const { return under_way_; }

    /// Gives up the call that is under way.
    void withdraw();

    /// Visits the ranks that may be missing: all others in a counting barrier, which does not know
    /// more.
    void visit_awaited(const base::RankVisitor& visit) const;

private:
    shared::CountingBarrier& calls() const { return *barrier_->calls(); }
    void end(bool is_zero);

    const mpi::CommState& state_;
    std::shared_ptr<NodeBarrier> barrier_;
    std::optional<Allreduce<std::int64_t>> sum_;  // where there is no counting barrier
    std::int64_t episode_ = 0;
    bool under_way_ = false;
    bool is_zero_ = false;
};

}  // namespace carpool::agree
