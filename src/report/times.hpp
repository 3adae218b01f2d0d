// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::report {

/// How long something took, and how much of that it is charged: less if other things were under way
/// meanwhile (SharedTime).
struct TimeTaken {
    double seconds;
    double charged;
};

/// Counts of times in classes whose width is at most an eighth of the times in them, so that the
/// median is known without keeping the times.
class Times {
public:
    /// @param stands_for  the number of starts that this time stands for, with its own
    void add(const TimeTaken& time, std::int64_t stands_for = 1);
    void add(const Times& others);

    /// The number of all starts that the times stand for.
    std::int64_t count() const { return count_; }
    std::int64_t timed() const { return timed_; }  ///< the number of those that were timed
    double mean() const { return mean_of(seconds_); }

    /// The seconds that all starts are charged, estimated from the timed ones.
    double charged() const { return charged_; }
    double mean_charge() const { return mean_of(charged_); }

    /// The time below which this share of all starts lies, to a tenth; 0 if there are none.
    double quantile(double share) const;

private:
    double mean_of(double sum) const { return count_ > 0 ? sum / static_cast<double>(count_) : 0; }

    static constexpr int octaves = 50;  // from 4 ns to over a month
    std::array<std::int64_t, 8 * octaves> in_class_ = {};
    std::int64_t count_ = 0;
    std::int64_t timed_ = 0;
    double seconds_ = 0;
    double charged_ = 0;
};

/// The number of starts of one communication since one was timed. Only the thread that progresses
/// the communication increases it; any thread may read it.
using Untimed = std::atomic<std::int64_t>;

/// The untimed starts of all communications of one record.
class UntimedStarts {
public:
    /// A counter for one more communication. Counters of communications that are gone are added up
    /// now and then.
    std::shared_ptr<Untimed> another();

    void add(const UntimedStarts& others) { of_gone_ += others.sum(); }
    std::int64_t sum() const;

private:
    void sum_up();

    std::vector<std::shared_ptr<Untimed>> counts_;
    std::size_t many_ = 16;
    std::int64_t of_gone_ = 0;
};

/// The first start of a request, or of a repeated call, is cold: memory is touched and connections
/// are made. If there are other starts, their times tell how long a start takes.
struct Starts {
    Times cold = {};
    Times warm = {};
    UntimedStarts untimed = {};  ///< warm starts that no time stands for yet

    void add(const Starts& others) {
        cold.add(others.cold);
        warm.add(others.warm);
        untimed.add(others.untimed);
    }

    std::int64_t count() const { return cold.count() + warm.count() + untimed.sum(); }
    std::int64_t timed() const { return cold.timed() + warm.timed(); }
    double charged() const {
        return cold.charged() + warm.charged() +
               static_cast<double>(untimed.sum()) * warm.mean_charge();
    }
    double mean() const { return typical().mean(); }
    double mean_charge() const { return typical().mean_charge(); }
    double quantile(double share) const { return typical().quantile(share); }
    double median() const { return quantile(0.5); }

private:
    const Times& typical() const { return warm.count() > 0 ? warm : cold; }
};

}  // namespace carpool::report
