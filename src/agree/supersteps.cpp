// SPDX-License-Identifier: MIT
#include "agree/supersteps.hpp"

#include "engine/transport_choice.hpp"
#include "topology/bits.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace carpool::agree {

using routing::SuperstepMessage;
using routing::SuperstepMessages;
using routing::Words;

SuperstepTransport::SuperstepTransport(mpi::CommState& state, int tag, int superstep_tag,
                                       SuperstepMessages said)
    : state_(state), tag_(tag), superstep_tag_(superstep_tag), said_(std::move(said)) {
    if (state_.size() > 1) messages_.emplace(engine::transports_of(state_));
    send();
}

/// A message to this rank itself is kept, not sent.
void SuperstepTransport::send() {
    for (const auto& message : said_.messages)
        if (message.peer == state_.rank())
            kept_.push_back(message);
        else
            messages_->send(message.peer, superstep_tag_, std::as_bytes(std::span(*message.words)),
                            true);
}

void SuperstepTransport::take_in() {
    while (auto message = messages_->probe(superstep_tag_)) coming_.push_back(std::move(*message));
}

/// The words of the board and one more, so that there is always something to reduce.
std::vector<std::int64_t> SuperstepTransport::own_board() const {
    routing::Board board(said_.marks.words + 1);
    for (const int bit : said_.marks.bits) topology::set_bit(board, bit);
    return {board.begin(), board.end()};
}

/// Once the allreduce has ended, every message to this rank has been found by a probe.
bool SuperstepTransport::test() {
    if (messages_ && !met_) take_in();
    if (!board_) {
        if (messages_ && !messages_->all_sent()) return false;
        board_.emplace(state_, own_board(), MPI_BOR);
        board_->start(tag_);
    }
    met_ = met_ || board_->test();
    return met_ && (!messages_ || messages_->all_received());
}

SuperstepMessages SuperstepTransport::take() {
    SuperstepMessages heard{std::move(kept_)};
    for (const auto& message : coming_) {
        Words words(message.bytes.size() / sizeof(int));
        if (!words.empty()) std::memcpy(words.data(), message.bytes.data(), message.bytes.size());
        heard.messages.push_back({message.source, std::make_shared<const Words>(std::move(words))});
    }
    std::stable_sort(
        heard.messages.begin(), heard.messages.end(),
        [](const SuperstepMessage& a, const SuperstepMessage& b) { return a.peer < b.peer; });
    const auto& words = board_->result();
    if (words.size() > 1)
        heard.board = std::make_shared<const routing::Board>(words.begin(), words.end() - 1);
    return heard;
}

}  // namespace carpool::agree
