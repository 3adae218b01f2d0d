// SPDX-License-Identifier: MIT
#pragma once

#include "agree/collective_buffers.hpp"
#include "base/rank_visitor.hpp"
#include "collectives/kind.hpp"
#include "engine/exchange.hpp"
#include "mpi/comm/comm_state.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace carpool::agree {

/// The block of some numbers of the library's own.
mpi::Block block_of(std::span<std::int64_t> numbers);
mpi::Block block_of(std::span<double> numbers);

/// The allreduce algorithm that costs least for few bytes on these ranks. @pre the state is ready
std::string_view small_allreduce(const mpi::CommState& state);

/// The allreduce algorithm that costs least beside an exchange for which all ranks wait: an
/// allreduce that ends when the exchange does costs nothing more. @pre the state is ready
std::string_view allreduce_beside(const mpi::CommState& state);

/// A small collective by the library's own algorithms on all ranks of a communicator. Its messages
/// have a tag, so calls in the background, which have no common order on all ranks, may use it.
class SmallCollective {
public:
    /// @param blocks  their memory outlives this object
    /// @pre the state is ready; the kind is allgather or allreduce
    SmallCollective(const mpi::CommState& state, collectives::Kind kind, std::string_view algorithm,
                    const CollectiveBlocks& blocks);

    /// @param tag  in use only until the end
    void start(int tag) { exchange_->start(tag); }
    bool test() { return exchange_->advance(); }

    /// Gives it up. @pre this object and the memory of its blocks live on
    void withdraw() { exchange_->withdraw(); }

    bool under_way() const { return exchange_->under_way(); }
    void visit_awaited(const base::RankVisitor& visit) const { exchange_->visit_awaited(visit); }

private:
    CollectiveMemory memory_;
    std::unique_ptr<engine::Exchange> exchange_;
};

}  // namespace carpool::agree
