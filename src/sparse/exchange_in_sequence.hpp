// SPDX-License-Identifier: MIT
#pragma once

#include "sparse/exchange_sequence.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace carpool::sparse {

/// One exchange among those of a communicator, from its call until it has ended. If it breaks off,
/// since MPI or memory fails, no later one begins.
class ExchangeInSequence {
public:
    ExchangeInSequence(std::shared_ptr<ExchangeSequence> sequence, std::int64_t number)
        : sequence_(std::move(sequence)), number_(number) {}
    ExchangeInSequence(const ExchangeInSequence&) = delete;
    ExchangeInSequence& operator=(const ExchangeInSequence&) = delete;
    ~ExchangeInSequence() {
        if (!ended_) sequence_->break_off(number_);
    }

    /// @param demand  the largest of all ranks
    void end(const Demand& demand) {
        sequence_->end(number_, demand);
        ended_ = true;
    }

    std::int64_t number() const { return number_; }
    ExchangeSequence& sequence() const { return *sequence_; }

private:
    std::shared_ptr<ExchangeSequence> sequence_;
    std::int64_t number_;
    bool ended_ = false;
};

}  // namespace carpool::sparse
