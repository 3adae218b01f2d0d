// SPDX-License-Identifier: MIT
#pragma once

#include "agree/balance_check.hpp"
#include "agree/node_barrier.hpp"
#include "base/rank_visitor.hpp"
#include "call/context.hpp"
#include "engine/communication.hpp"
#include "engine/steps.hpp"
#include "mpi/comm/call_code.hpp"
#include "mpi/error.hpp"
#include "neighbor/filler.hpp"

#include <memory>
#include <optional>

namespace carpool::neighbor {

/// The exchange of a call that lists its own edges, together with a sum over all ranks that shows
/// whether the two ends of every edge agree. If they do not, the received data are worthless, and
/// all ranks throw the same error.
class ConfirmedExchange final : public engine::Communication {
public:
    /// @param filler   fills the exchange; outlives this object
    /// @param code     of the call; the exchange uses its tags
    /// @param barrier  of the communicator
    ConfirmedExchange(std::unique_ptr<engine::Communication> exchange, NeighborFiller& filler,
                      mpi::CallCode code, const call::CallContext& context,
                      std::shared_ptr<agree::NodeBarrier> barrier);

    void start(int tag) override;
    bool advance() override;
    void withdraw() override;
    bool under_way() const override { return exchange_->under_way() || balance_.under_way(); }
    void visit_awaited(const base::RankVisitor& visit) const override;

private:
    void look_into_difference();

    std::unique_ptr<engine::Communication> exchange_;
    NeighborFiller& filler_;
    mpi::CallCode code_;
    call::CallContext context_;  // of the latest start
    agree::BalanceCheck balance_;
    bool exchanged_ = false;
    std::optional<mpi::Error> failure_;              // error of the exchange
    std::optional<engine::Steps<void>> difference_;  // the joint search for an edge that differs
};

}  // namespace carpool::neighbor
