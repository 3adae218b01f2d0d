#pragma once

#include "base/rank_visitor.hpp"
#include "engine/communication.hpp"
#include "report/profile.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

namespace carpool::report {

/// A communication whose starts are timed, each from its start to its end. The first ones are all
/// timed. Of later ones, if they are so short that two readings of the clock and a lock would slow
/// them down, one in many is timed, which stands for those before it.
class Timed final : public engine::Communication {
public:
    Timed(std::unique_ptr<engine::Communication> what, Profile& profile, Record& record)
        : what_(std::move(what)),
          profile_(profile),
          record_(record),
          untimed_(profile.untimed_of(record)) {}

    /// A start that is not timed costs no more than this: the call below is a jump, and so is that
    /// in advance().
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
    void visit_awaited(const base::RankVisitor& visit) const override {
        what_->visit_awaited(visit);
    }
    void withdraw() override {
        if (std::exchange(timed_now_, false)) skip();
        what_->withdraw();
    }

    bool forwards() const override { return what_->forwards(); }
    bool only_receives() const override { return what_->only_receives(); }

    static constexpr int all_timed = 64;  ///< how many first starts are all timed
    static constexpr int one_in = 256;    ///< later starts per timed one, if they are short
    static constexpr double is_short = 10e-6;

private:
    using Clock = std::chrono::steady_clock;

    std::int64_t skipped() const { return untimed_->load(std::memory_order_relaxed); }

    /// Only the thread that progresses the communication writes the counter, so no lock is needed.
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
    std::int64_t gap_ = 0;  ///< how many starts are skipped before the next is timed
    int timed_ = 0;         ///< how many starts were timed, up to all_timed
    bool timed_now_ = false;
};

}  // namespace carpool::report
