// SPDX-License-Identifier: MIT
#include "sparse/preposted_receives.hpp"

#include "engine/transport_choice.hpp"
#include "sparse/parcel.hpp"

#include <algorithm>
#include <utility>

namespace carpool::sparse {

PrepostedReceives::PrepostedReceives(const mpi::CommState& state, int tag, std::size_t head,
                                     std::vector<int> sources)
    : state_(state), tag_(tag), head_(head), sources_(std::move(sources)), ended_(sources_.size()) {
    const auto transports = engine::transports_of(state);
    const auto bytes = static_cast<std::int64_t>(head_);
    engine::TransferList list;
    for (const int source : sources_) {
        memory_.push_back(transports.staging(source, bytes));
        transfers_.push_back({.memory = memory_.back().get(), .peer = source, .bytes = bytes});
        list.order.push_back(static_cast<int>(list.receives.size()));
        list.receives.push_back(&transfers_.back());
    }
    heads_ = engine::Transfers(transports, list);
}

void PrepostedReceives::expect() {
    tails_.clear();
    loose_.reset();
    heads_.post(tag_);
}

void PrepostedReceives::send(PendingMessages& pending, int target,
                             std::vector<std::byte> message) const {
    const auto data = pending.keep(std::move(message));
    const auto in_head = std::min(data.size(), head_);
    pending.send(target, tag_, data.first(in_head));
    if (in_head < data.size()) pending.send(target, tag_, data.subspan(in_head));
}

std::span<std::byte> PrepostedReceives::head_of(std::size_t partner) const {
    const std::span whole(memory_[partner].get(), head_);
    return whole.first(std::min(head_, static_cast<std::size_t>(length_of(whole))));
}

/// Posts the receive of the tail, if there is one, when the head is here.
bool PrepostedReceives::grows(std::size_t partner) {
    const auto front = head_of(partner);
    const auto length = length_of(front);
    if (length == static_cast<std::int64_t>(front.size())) return false;
    if (!loose_) loose_.emplace(engine::transports_of(state_));
    auto memory = loose_->staging(sources_[partner], length);
    std::copy(front.begin(), front.end(), memory.get());
    const std::span whole(memory.get(), static_cast<std::size_t>(length));
    const auto receive = loose_->receive(sources_[partner], tag_, whole.subspan(front.size()));
    tails_.push_back({partner, receive, {whole, std::move(memory)}});
    return true;
}

std::optional<PrepostedReceives::CompletedMessage> PrepostedReceives::with_head_only() {
    if (come_.empty()) come_ = heads_.test_some(static_cast<int>(sources_.size()), ended_);
    while (!come_.empty()) {
        const auto partner = static_cast<std::size_t>(come_.front());
        come_ = come_.subspan(1);
        if (!grows(partner)) return CompletedMessage{partner, {head_of(partner)}};
    }
    return std::nullopt;
}

std::optional<PrepostedReceives::CompletedMessage> PrepostedReceives::with_tail() {
    const auto ended = loose_ ? loose_->test_any() : std::nullopt;
    if (!ended) return std::nullopt;
    const auto tail = std::find_if(tails_.begin(), tails_.end(),
                                   [&ended](const Tail& t) { return t.receive == *ended; });
    return CompletedMessage{tail->partner, std::move(tail->whole)};
}

std::optional<PrepostedReceives::CompletedMessage> PrepostedReceives::completed() {
    if (auto message = with_head_only()) return message;
    return with_tail();
}

}  // namespace carpool::sparse
