#pragma once

#include "call/ledger.hpp"
#include "engine/communication.hpp"

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::call {

/// A communication whose times are written down, from each start to its end.
class Recorded final : public engine::Communication {
public:
    Recorded(std::unique_ptr<engine::Communication> what, Ledger& ledger, Record& record)
        : what_(std::move(what)), ledger_(ledger), record_(record) {}

    void start(int tag) override {
        began_ = Clock::now();
        active_ = true;
        what_->start(tag);
    }

    bool advance() override {
        if (!what_->advance()) return false;
        if (std::exchange(active_, false))
            ledger_.add(std::exchange(warm_, true) ? record_.starts.warm : record_.starts.cold,
                        std::chrono::duration<double>(Clock::now() - began_).count());
        return true;
    }

    void withdraw() override {
        active_ = false;
        what_->withdraw();
    }

    bool has_all_of(int rank) const override { return what_->has_all_of(rank); }
    std::vector<int> awaited() const override { return what_->awaited(); }
    bool forwards() const override { return what_->forwards(); }

private:
    using Clock = std::chrono::steady_clock;

    std::unique_ptr<engine::Communication> what_;
    Ledger& ledger_;
    Record& record_;
    Clock::time_point began_;
    bool active_ = false;
    bool warm_ = false;
};

}  // namespace carpool::call
