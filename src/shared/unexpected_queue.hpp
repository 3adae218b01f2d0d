// SPDX-License-Identifier: MIT
#pragma once

#include "shared/envelope.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace carpool::shared {

struct UnexpectedEnvelope {
    std::uint64_t arrival;  ///< its number among all unexpected messages of the endpoint
    Address address;
    Envelope envelope;
};

/// The messages that have arrived and that no receive expects yet, oldest first. Thousands may wait
/// if ranks that only send are far ahead: taking the first one costs no more then.
class UnexpectedQueue {
public:
    UnexpectedQueue() { envelopes_.reserve(Acks::entries); }

    void add(UnexpectedEnvelope one) { envelopes_.push_back(std::move(one)); }

    /// The oldest message of that address; null if there is none.
    UnexpectedEnvelope* find(const Address& address) {
        for (auto& one : waiting())
            if (one.address == address) return &one;
        return nullptr;
    }

    /// @param one  an element of waiting()
    Envelope take(UnexpectedEnvelope& one) {
        auto envelope = std::move(one.envelope);
        const auto place = &one - envelopes_.data();
        if (static_cast<std::size_t>(place) == taken_)
            take_first();
        else
            envelopes_.erase(envelopes_.begin() + place);
        return envelope;
    }

    std::span<UnexpectedEnvelope> waiting() { return std::span(envelopes_).subspan(taken_); }

    /// Erases messages and returns how many.
    template <typename Unwanted>
    std::size_t erase_if(Unwanted unwanted) {
        forget_taken();
        return std::erase_if(envelopes_, unwanted);
    }

private:
    /// The remaining ones move up once as many have been taken.
    void take_first() {
        if (++taken_ * 2 >= envelopes_.size()) forget_taken();
    }

    void forget_taken() {
        envelopes_.erase(envelopes_.begin(),
                         envelopes_.begin() + static_cast<std::ptrdiff_t>(taken_));
        taken_ = 0;
    }

    std::vector<UnexpectedEnvelope> envelopes_;  // begins with those that have been taken
    std::size_t taken_ = 0;
};

}  // namespace carpool::shared
