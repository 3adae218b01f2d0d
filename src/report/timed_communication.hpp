// SPDX-License-Identifier: MIT
#pragma once

#include "base/rank_visitor.hpp"
#include "engine/communication.hpp"
#include "report/profile.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace carpool::report {

/// A communication whose starts are timed, each from its start to its end. The first ones are all
/// timed. Of later ones, if they are so short that two readings of the clock and a lock would slow
/// them down, one in many is timed, which stands for those before it. Where several are under way
/// at once all are timed, since each is charged a part of the time.
class TimedCommunication final : public engine::Communication {
public:
    /// @param key  its size class is overwritten by that of the bytes
    TimedCommunication(std::unique_ptr<engine::Communication> what, Profile& profile,
                       Record::Key key, const Record::Forecast& forecast, std::int64_t bytes)
        : what_(std::move(what)), profile_(profile), key_(std::move(key)), forecast_(forecast) {
        take_size(bytes);
    }

    /// From now on its starts have this size. @pre not under way
    void take_size(std::int64_t bytes) {
        place_ = &place_of(size_class_of(bytes));
        profile_.add_size(place_->record, bytes);
    }

    /// Notes that the host MPI's own collective was measured.
    void set_host_seconds(double seconds) { place_->record.host_seconds = seconds; }

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
        if (std::exchange(timed_now_, false)) {
            profile_.withdraw_start(mark_);
            skip();
        }
        what_->withdraw();
    }

    bool forwards() const override { return what_->forwards(); }
    bool only_receives() const override { return what_->only_receives(); }

    static constexpr int all_timed = 64;  ///< how many first starts are all timed
    static constexpr int one_in = 256;    ///< later starts per timed one, if they are short
    static constexpr double is_short = 10e-6;

private:
    /// Where starts of one size class are recorded.
    struct Place {
        Record& record;
        std::shared_ptr<Untimed> untimed;
    };

    Place& place_of(int size_class) {
        if (const auto known = places_.find(size_class); known != places_.end())
            return known->second;
        key_.subject.size_class = size_class;
        auto& record = profile_.record(key_, forecast_);
        return places_.try_emplace(size_class, Place{record, profile_.untimed_of(record)})
            .first->second;
    }

    std::int64_t skipped() const { return place_->untimed->load(std::memory_order_relaxed); }

    /// Only the thread that progresses the communication writes the counter, so no lock is needed.
    void skip() { place_->untimed->store(skipped() + 1, std::memory_order_relaxed); }

    void begin() {
        timed_now_ = true;
        began_ = Clock::now();
        mark_ = profile_.begin_start(began_);
    }

    void note() {
        timed_now_ = false;
        auto& [record, untimed] = *place_;
        const auto [seconds, charged] = profile_.end_start(
            timed_ > 0 ? record.starts.warm : record.starts.cold, began_, mark_, *untimed);
        if (timed_ < all_timed) ++timed_;
        const bool alone = charged > 0.9 * seconds;
        gap_ = timed_ == all_timed && seconds < is_short && alone ? one_in - 1 : 0;
    }

    std::unique_ptr<engine::Communication> what_;
    Profile& profile_;
    Record::Key key_;
    Record::Forecast forecast_;
    std::map<int, Place> places_;  // by size class
    Place* place_ = nullptr;       // for the present size
    Clock::time_point began_;
    double mark_ = 0;       // of the start that is timed now
    std::int64_t gap_ = 0;  // how many starts are skipped before the next is timed
    int timed_ = 0;         // how many starts were timed, up to all_timed
    bool timed_now_ = false;
};

}  // namespace carpool::report
