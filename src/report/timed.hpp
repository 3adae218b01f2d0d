#pragma once

#include "engine/communication.hpp"
#include "report/profile.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace carpool::report {

/// A communication whose times are written down, from each start to its end: of the first starts
/// all, then, where two looks at the clock and a lock would be felt, of one in many, which stands
/// for those before it.
class Timed final : public engine::Communication {
public:
    Timed(std::unique_ptr<engine::Communication> what, Profile& profile, Record& record)
        : what_(std::move(what)),
          profile_(profile),
          record_(record),
          untimed_(profile.untimed_of(record)) {}

    /// Of a start that is not timed this is all: what follows is a jump, and advance() is one.
    void start(int tag) override {
        if (skipped() < gap_)
            skip();
        else
            begin();
        what_->start(tag);
    }

    bool advance() override {
        if (!timed_now_) return what_->advance();
        if (!what_->advance()) return false;
        note();
        return true;
    }

    bool under_way() const override { return what_->under_way(); }
    std::vector<int> awaited() const override { return what_->awaited(); }
    void withdraw() override {
        if (std::exchange(timed_now_, false)) skip();
        what_->withdraw();
    }

    bool forwards() const override { return what_->forwards(); }
    bool only_receives() const override { return what_->only_receives(); }

    static constexpr int all_timed = 64;  ///< the first starts
    static constexpr int one_in = 256;    ///< of those after them, where they are short
    static constexpr double is_short = 10e-6;

private:
    using Clock = std::chrono::steady_clock;

    std::int64_t skipped() const { return untimed_->load(std::memory_order_relaxed); }

    /// Only the thread that has the communication in hand writes it, so that nothing is locked.
    void skip() { untimed_->store(skipped() + 1, std::memory_order_relaxed); }

    void begin() {
        timed_now_ = true;
        began_ = Clock::now();
    }

    void note() {
        timed_now_ = false;
        const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
        profile_.add(timed_ > 0 ? record_.starts.warm : record_.starts.cold, seconds, *untimed_);
        if (timed_ < all_timed) ++timed_;
        gap_ = timed_ == all_timed && seconds < is_short ? one_in - 1 : 0;
    }

    std::unique_ptr<engine::Communication> what_;
    Profile& profile_;
    Record& record_;
    std::shared_ptr<Untimed> untimed_;
    Clock::time_point began_;
    std::int64_t gap_ = 0;  ///< so many starts are skipped before the next is timed
    int timed_ = 0;         ///< up to all_timed
    bool timed_now_ = false;
};

}  // namespace carpool::report
