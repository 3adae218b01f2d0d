#pragma once

#include "agree/collective_buffers.hpp"
#include "collectives/kind.hpp"
#include "engine/exchange.hpp"
#include "mpi/comm_state.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace carpool::agree {

/// Numbers of the library's own as a block.
mpi::Block block_of(std::span<std::int64_t> numbers);
mpi::Block block_of(std::span<double> numbers);

/// The allreduce of few bytes that costs least on these ranks. @pre the state is ready
std::string_view small_allreduce(const mpi::CommState& state);

/// That which costs least beside an exchange for which all wait: what ends when that does costs
/// nothing more. @pre the same
std::string_view allreduce_beside(const mpi::CommState& state);

/// A small collective of the library's own on all ranks of a communicator. It goes by a tag, so
/// calls in the background, which have no common order on all ranks, may use it.
class SmallCollective {
public:
    /// @param blocks  whose memory outlives it
    /// @pre the state is ready; the kind is allgather or allreduce
    SmallCollective(const mpi::CommState& state, collectives::Kind kind, std::string_view algorithm,
                    const CollectiveBlocks& blocks);

    /// @param tag  used only until it has ended
    void start(int tag) { exchange_->start(tag); }
    bool test() { return exchange_->advance(); }

    /// Gives it up. @pre its memory and that of its blocks live on
    void withdraw() { exchange_->withdraw(); }

    bool under_way() const { return exchange_->under_way(); }
    std::vector<int> awaited() const { return exchange_->awaited(); }

private:
    CollectiveMemory memory_;
    std::unique_ptr<engine::Exchange> exchange_;
};

}  // namespace carpool::agree
