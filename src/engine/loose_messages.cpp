// SPDX-License-Identifier: MIT
#include "engine/loose_messages.hpp"

#include <algorithm>
#include <utility>

namespace carpool::engine {

LooseMessages::LooseMessages(Transports transports)
    : transports_(std::move(transports)), parts_(transports_.count()) {}

Transport::Messages& LooseMessages::sends_of(std::size_t transport) {
    auto& sends = parts_[transport].sends;
    if (!sends) sends = transports_[transport].messages({});
    return *sends;
}

Transport::Messages& LooseMessages::receives_of(std::size_t transport) {
    auto& receives = parts_[transport].receives;
    if (!receives) receives = transports_[transport].messages({});
    return *receives;
}

void LooseMessages::send(int target, int tag, std::span<const std::byte> bytes, bool synchronous) {
    const auto transport = transports_.way_to(target, synchronous).transport;
    sends_of(transport).send(target, tag, bytes, synchronous);
    ++parts_[transport].sent;
}

std::size_t LooseMessages::receive(int source, int tag, std::span<std::byte> bytes) {
    const auto transport = transports_.way_to(source).transport;
    receives_of(transport).receive(source, tag, bytes);
    return add_receive(parts_[transport]);
}

std::size_t LooseMessages::add_receive(Part& part) {
    part.numbers.push_back(receives_);
    return receives_++;
}

std::optional<UnexpectedMessage> LooseMessages::probe(std::size_t transport, int tag) {
    auto message = receives_of(transport).probe(tag);
    if (message) message->receive = add_receive(parts_[transport]);
    return message;
}

std::optional<UnexpectedMessage> LooseMessages::probe(int tag) {
    for (std::size_t transport = 0; transport < parts_.size(); ++transport)
        if (auto message = probe(transport, tag)) return message;
    return std::nullopt;
}

std::optional<UnexpectedMessage> LooseMessages::probe_unsynchronous(int tag) {
    if (carries_.empty()) find_carriers();
    for (std::size_t transport = 0; transport < parts_.size(); ++transport)
        if (carries_[transport] != 0)
            if (auto message = probe(transport, tag)) return message;
    return std::nullopt;
}

void LooseMessages::find_carriers() {
    carries_.resize(parts_.size());
    for (int rank = 0; rank < transports_.ranks(); ++rank)
        if (rank != transports_.rank()) carries_[transports_.way_to(rank).transport] = 1;
}

bool LooseMessages::is_behind() const {
    for (int rank = 0; rank < transports_.ranks(); ++rank) {
        if (rank == transports_.rank()) continue;
        if (transports_.to(rank).unexpected_from(rank).unseen) return true;
    }
    return false;
}

void LooseMessages::find_ended(Part& part) {
    if (part.numbers.empty()) return;
    ended_.resize(std::max(ended_.size(), part.numbers.size()));
    for (const int place : part.receives->test_some(part.received(), ended_))
        untold_.push_back(part.numbers[static_cast<std::size_t>(place)]);
}

std::optional<std::size_t> LooseMessages::test_any() {
    if (untold_.empty())
        for (auto& part : parts_) find_ended(part);
    if (untold_.empty()) return std::nullopt;
    const auto number = untold_.back();
    untold_.pop_back();
    return number;
}

void LooseMessages::forget_sends(Part& part) {
    if (part.sent > 0) part.sends->withdraw();
    part.sent = 0;
}

bool LooseMessages::all_sent() {
    bool all = true;
    for (auto& part : parts_) {
        if (part.sent == 0) continue;
        if (part.sends->test_all(0, part.sent))
            forget_sends(part);
        else
            all = false;
    }
    return all;
}

bool LooseMessages::all_received() {
    bool all = true;
    for (auto& part : parts_)
        if (part.received() > 0) all &= part.receives->test_all(0, part.received());
    return all;
}

void LooseMessages::clear() {
    for (auto& part : parts_) {
        forget_sends(part);
        if (part.received() > 0) part.receives->withdraw();
        part.numbers.clear();
    }
    receives_ = 0;
    untold_.clear();
}

}  // namespace carpool::engine
