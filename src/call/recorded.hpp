#pragma once

#include "call/ledger.hpp"
#include "engine/communication.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::call {

/// A communication whose times are written down, from each start to its end: of the first starts
/// all, then, where two looks at the clock and a lock would be felt, of one in many, which stands
/// for those before it.
class Recorded final : public engine::Communication {
public:
    Recorded(std::unique_ptr<engine::Communication> what, Ledger& ledger, Record& record)
        : what_(std::move(what)),
          ledger_(ledger),
          record_(record),
          untimed_(ledger.untimed_of(record)) {}

    void start(int tag) override {
        if (skipped_ == 0) began_ = Clock::now();
        active_ = true;
        what_->start(tag);
    }

    bool advance() override {
        if (!what_->advance()) return false;
        if (std::exchange(active_, false)) skipped_ > 0 ? skip() : note();
        return true;
    }

    void withdraw() override {
        active_ = false;
        what_->withdraw();
    }

    bool has_all_of(int rank) const override { return what_->has_all_of(rank); }
    std::vector<int> awaited() const override { return what_->awaited(); }
    bool forwards() const override { return what_->forwards(); }

    static constexpr int all_timed = 64;  ///< the first starts
    static constexpr int one_in = 64;     ///< of those after them, where they are short
    static constexpr double is_short = 10e-6;

private:
    using Clock = std::chrono::steady_clock;

    /// Only the thread that has the communication in hand writes it, so that nothing is locked.
    void skip() {
        --skipped_;
        untimed_->store(untimed_->load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    void note() {
        const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
        ledger_.add(timed_ > 0 ? record_.starts.warm : record_.starts.cold, seconds, *untimed_);
        if (timed_ < all_timed)
            ++timed_;
        else if (seconds < is_short)
            skipped_ = one_in - 1;
    }

    std::unique_ptr<engine::Communication> what_;
    Ledger& ledger_;
    Record& record_;
    std::shared_ptr<Untimed> untimed_;
    Clock::time_point began_;
    int timed_ = 0;    ///< up to all_timed
    int skipped_ = 0;  ///< so many more starts are not timed
    bool active_ = false;
};

}  // namespace carpool::call
