#pragma once

#include "base/rank_visitor.hpp"
#include "engine/communication.hpp"
#include "mpi/size_word.hpp"

#include <memory>
#include <utility>

namespace carpool::call {

/// An exchange in which one message carries a word about all block sizes: it ends with an error if
/// that word is not equal to this rank's.
class CheckedSizes final : public engine::Communication {
public:
    /// @param word  the word that its messages carry; outlives this object
    CheckedSizes(std::unique_ptr<engine::Communication> exchange, mpi::SizeWord& word)
        : exchange_(std::move(exchange)), word_(word) {}

    void start(int tag) override {
        word_.begin();
        exchange_->start(tag);
    }
    bool advance() override {
        const bool ended = exchange_->advance();
        word_.check();
        return ended;
    }
    bool under_way() const override { return exchange_->under_way() || word_.differs(); }
    void withdraw() override { exchange_->withdraw(); }
    void visit_awaited(const base::RankVisitor& visit) const override {
        exchange_->visit_awaited(visit);
    }
    bool forwards() const override { return exchange_->forwards(); }
    bool only_receives() const override { return exchange_->only_receives(); }

private:
    std::unique_ptr<engine::Communication> exchange_;
    mpi::SizeWord& word_;
};

}  // namespace carpool::call
