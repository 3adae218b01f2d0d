// SPDX-License-Identifier: MIT
#pragma once

#include "agree/small_collective.hpp"
#include "base/rank_visitor.hpp"
#include "engine/communication.hpp"
#include "mpi/comm/comm_state.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace carpool::agree {

/// An allreduce of a few numbers by the library's own algorithms, with its buffers.
template <typename Number>
class Allreduce final : public engine::Communication {
public:
    /// @param numbers  this rank's input, equally long on all ranks
    /// @pre the state is ready, and outlives this object
    Allreduce(const mpi::CommState& state, std::vector<Number> numbers, MPI_Op op)
        : Allreduce(state, std::move(numbers), op, small_allreduce(state)) {}

    Allreduce(const mpi::CommState& state, std::vector<Number> numbers, MPI_Op op,
              std::string_view algorithm)
        : own_(std::move(numbers)),
          result_(own_.size()),
          allreduce_(state, collectives::Kind::allreduce, algorithm,
                     {{block_of(own_)}, {block_of(result_)}, op, {}}) {}

    /// This rank's input; write it before a start.
    std::span<Number> own() { return own_; }

    /// @pre advance() has returned true
    const std::vector<Number>& result() const { return result_; }

    void start(int tag) override { allreduce_.start(tag); }
    bool advance() override { return allreduce_.test(); }
    bool test() { return advance(); }
    void withdraw() override { allreduce_.withdraw(); }
    bool under_way() const override { return allreduce_.under_way(); }
    void visit_awaited(const base::RankVisitor& visit) const override {
        allreduce_.visit_awaited(visit);
    }

private:
    std::vector<Number> own_;
    std::vector<Number> result_;
    SmallCollective allreduce_;
};

}  // namespace carpool::agree
