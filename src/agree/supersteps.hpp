// SPDX-License-Identifier: MIT
#pragma once

#include "agree/allreduce.hpp"
#include "base/rank_visitor.hpp"
#include "engine/loose_messages.hpp"
#include "engine/steps.hpp"
#include "mpi/comm/comm_state.hpp"
#include "routing/program.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::agree {

/// Carries the messages of one superstep. No rank knows which others will send to it: messages are
/// sent synchronously, and the end of an allreduce, which also carries the board, shows that all
/// have been received (the nonblocking consensus of Hoefler, Siebert and Lumsdaine, 2010).
class SuperstepTransport {
public:
    /// @param tag  the allreduce's
    /// @param superstep_tag  the messages'; no others have it
    /// @pre the state is ready, and outlives this object
    SuperstepTransport(mpi::CommState& state, int tag, int superstep_tag,
                       routing::SuperstepMessages said);

    /// Takes one step without waiting; returns true when all messages have arrived.
    bool test();

    /// Gives up the allreduce, which might wait for ever. Messages on their way still belong to
    /// this object.
    void withdraw() {
        if (board_ && !met_) board_->withdraw();
    }

    void visit_awaited(const base::RankVisitor& visit) const {
        if (board_) board_->visit_awaited(visit);
    }

    /// The messages and the board received, messages by ascending sender. @pre test() has returned
    /// true
    routing::SuperstepMessages take();

private:
    void send();
    void take_in();
    std::vector<std::int64_t> own_board() const;

    mpi::CommState& state_;
    int tag_;
    int superstep_tag_;
    routing::SuperstepMessages said_;
    std::optional<engine::LooseMessages> messages_;  // none if this rank is alone
    std::vector<routing::SuperstepMessage> kept_;    // messages to this rank itself
    std::vector<engine::UnexpectedMessage> coming_;
    /// Started once all messages sent have been received.
    std::optional<Allreduce<std::int64_t>> board_;
    bool met_ = false;  // the allreduce has ended
};

/// Runs this rank's program together with those of all others.
/// @param tag  in use only until the end
/// @param superstep_tag  the same, for a program of one superstep; without it, this call
/// must be the first in the line of calls (mpi::CommState::Place)
/// @note Collective. @pre the state is ready, and outlives the steps
template <typename T>
engine::Steps<T> run(routing::Program<T> program, mpi::CommState& state, int tag,
                     std::optional<int> superstep_tag = {}) {
    routing::SuperstepExchange exchange;
    program.join(exchange);
    exchange.waiting.resume();
    while (!program.ended()) {
        SuperstepTransport superstep(state, tag,
                                     superstep_tag ? *superstep_tag : state.next_superstep_tag(),
                                     std::move(exchange.said));
        co_await engine::until(superstep);
        exchange.heard = superstep.take();
        exchange.waiting.resume();
    }
    co_return program.take();
}

}  // namespace carpool::agree
