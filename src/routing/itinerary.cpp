// SPDX-License-Identifier: MIT
#include "routing/itinerary.hpp"

#include <algorithm>
#include <tuple>

namespace carpool::routing {
namespace {

using CombinedMessage = Itinerary::CombinedMessage;

bool before(const CombinedMessage& a, const CombinedMessage& b) {
    return std::tie(a.phase, a.peer) < std::tie(b.phase, b.peer);
}

bool same(const CombinedMessage& a, const CombinedMessage& b) {
    return a.phase == b.phase && a.peer == b.peer;
}

/// Blocks are mostly added message by message, so only the last message is looked at; sort() merges
/// the others.
void add_to_message(std::vector<CombinedMessage>& messages, int phase, int peer, int stop) {
    if (messages.empty() || messages.back().phase != phase || messages.back().peer != peer)
        messages.push_back({phase, peer, {}});
    messages.back().stops.push_back(stop);
}

/// Sorts the messages and merges those of one phase and peer, with their stops in the order of
/// addition.
void put_in_order(std::vector<CombinedMessage>& messages) {
    const auto not_before = [](const CombinedMessage& a, const CombinedMessage& b) {
        return !before(a, b);
    };
    if (std::adjacent_find(messages.begin(), messages.end(), not_before) == messages.end()) return;
    std::stable_sort(messages.begin(), messages.end(), before);
    std::vector<CombinedMessage> merged;
    for (auto& combined : messages) {
        if (merged.empty() || !same(merged.back(), combined)) {
            merged.push_back(std::move(combined));
            continue;
        }
        auto& stops = merged.back().stops;
        stops.insert(stops.end(), combined.stops.begin(), combined.stops.end());
    }
    messages = std::move(merged);
}

}  // namespace

void Itinerary::send(int phase, int peer, int stop) { add_to_message(sends_, phase, peer, stop); }

int Itinerary::receive(int phase, int peer, int label) {
    const int stop = stops();
    arrival_.push_back(phase);
    label_.push_back(label);
    bytes_.push_back(0);
    add_to_message(receives_, phase, peer, stop);
    return stop;
}

int Itinerary::phases() const {
    int last = -1;
    for (const auto* messages : {&sends_, &receives_})
        if (!messages->empty()) last = std::max(last, messages->back().phase);
    return last + 1;
}

std::int64_t Itinerary::blocks_sent() const {
    std::int64_t sum = 0;
    for (const auto& combined : sends_) sum += static_cast<std::int64_t>(combined.stops.size());
    return sum;
}

std::int64_t Itinerary::bytes_in(std::span<const CombinedMessage> messages) const {
    std::int64_t sum = 0;
    for (const auto& combined : messages)
        for (const int stop : combined.stops) sum += bytes(stop);
    return sum;
}

void Itinerary::sort() {
    put_in_order(sends_);
    put_in_order(receives_);
}

}  // namespace carpool::routing
