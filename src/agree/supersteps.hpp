#pragma once

#include "agree/joint_numbers.hpp"
#include "engine/loose_messages.hpp"
#include "engine/steps.hpp"
#include "mpi/comm_state.hpp"
#include "routing/program.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace carpool::agree {

/// Brings the mail of one superstep. Nobody knows who will write: messages are sent synchronously,
/// and an allreduce, which carries the board too, says when all have been received (the nonblocking
/// consensus of Hoefler, Siebert and Lumsdaine, 2010).
class SuperstepTransport {
public:
    /// @param tag         of the board
    /// @param superstep_tag  used by no other messages
    /// @pre the state is ready, and outlives it
    SuperstepTransport(mpi::CommState& state, int tag, int superstep_tag,
                       routing::SuperstepMessages said);

    /// One step without waiting; true when all mail is here.
    bool test();

    /// Gives up what would take messages for ever. Those on their way are still this one's.
    void withdraw() {
        if (board_ && !met_) board_->withdraw();
    }

    std::vector<int> awaited() const { return board_ ? board_->awaited() : std::vector<int>(); }

    /// Letters by ascending sender. @pre ended
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
    std::vector<routing::SuperstepMessage> kept_;    // to this rank itself
    std::vector<engine::UnexpectedMessage> coming_;
    std::optional<JointNumbers> board_;  // under way once all messages have been received
    bool met_ = false;                   // all ranks are here
};

/// Runs this rank's program together with those of all others.
/// @param tag         used only until it has ended
/// @param superstep_tag  the same, of a program of one superstep; with none the turn must be this
///                    call's
/// @note Collective @pre as of a SuperstepTransport
template <typename T>
engine::Steps<T> run(routing::Program<T> program, mpi::CommState& state, int tag,
                     std::optional<int> superstep_tag = {}) {
    routing::Conversation conversation;
    program.join(conversation);
    conversation.waiting.resume();
    while (!program.ended()) {
        SuperstepTransport superstep(state, tag,
                                     superstep_tag ? *superstep_tag : state.next_superstep_tag(),
                                     std::move(conversation.said));
        co_await engine::until(superstep);
        conversation.heard = superstep.take();
        conversation.waiting.resume();
    }
    co_return program.take();
}

}  // namespace carpool::agree
