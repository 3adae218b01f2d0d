// SPDX-License-Identifier: MIT
#include "sparse/running_protocol.hpp"

#include "base/never_freed.hpp"

#include <utility>

namespace carpool::sparse {

void RunningProtocol::start(int tag) {
    try {
        protocol_ = begun(tag);
    } catch (...) {
        abandon_exchange();
        throw;
    }
}

/// @param tag  of an agreement
std::unique_ptr<Protocol> RunningProtocol::begun(int tag) {
    auto& sequence = in_sequence_->sequence();
    messages_->clear();
    const ExchangeContext context{*state_, *messages_, sequence.tags(in_sequence_->number()),
                                  strategy_.longest};
    if (strategy_.kind == Strategy::Kind::direct)
        return std::make_unique<ConsensusProtocol>(
            context,
            ConsensusProtocol::Means{
                comm_, [this, tag] { return agree::VoteTransports::lend(votes_, state_, tag); },
                sequence.barrier().calls(), in_sequence_->number()},
            given_.send_list, given_.mistake);
    auto& partner_state = sequence.partner_state(in_sequence_->number(), strategy_, *state_);
    return std::make_unique<PartnerProtocol>(context, partner_state, given_.send_list,
                                             given_.mistake);
}

bool RunningProtocol::advance() {
    try {
        if (!protocol_->test()) return false;
    } catch (...) {
        abandon_exchange();
        throw;
    }
    deliver();
    return true;
}

void RunningProtocol::deliver() {
    const auto ended = std::move(in_sequence_);  // its sequence outlives the protocol
    const auto protocol = std::move(protocol_);
    const auto& piggyback = protocol->piggyback();
    auto given = std::exchange(given_, {});
    ended->end(piggyback.demand);
    if (piggyback.mistake) throw piggyback.mistake->error();
    auto delivery = protocol->take();
    delivery.sent = std::move(given.send_list);
    delivery.sendbuf = given.sendbuf;
    given.receive(std::move(delivery));
}

/// The memory of an exchange that has not ended is never freed, since MPI may still use it.
void RunningProtocol::abandon_exchange() {
    if (protocol_ != nullptr) {
        base::NeverFreed::add(std::move(protocol_));
        base::NeverFreed::add(std::move(messages_));
    }
    in_sequence_.reset();
}

}  // namespace carpool::sparse
