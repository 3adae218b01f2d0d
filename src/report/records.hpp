#pragma once

#include "choose/load.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace carpool::report {

/// Counts of times in classes whose width is at most an eighth of the times in them, so that the
/// median is known without keeping the times.
class Times {
public:
    /// @param stands_for  the number of starts that this time stands for, with its own
    void add(double seconds, std::int64_t stands_for = 1);

    std::int64_t count() const {
        return count_;
    }  ///< the number of all starts that the times stand for
    std::int64_t timed() const { return timed_; }  ///< the number of those that were timed
    double sum() const { return sum_; }  ///< the sum of all starts, estimated from the timed ones
    double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }

    /// The time below which this share of all starts lies, to a tenth; 0 if there are none.
    double quantile(double share) const;

private:
    static constexpr int octaves = 50;  // from 4 ns to over a month
    std::array<std::int64_t, 8 * octaves> in_class_ = {};
    std::int64_t count_ = 0;
    std::int64_t timed_ = 0;
    double sum_ = 0;
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

    std::int64_t count() const { return cold.count() + warm.count() + untimed.sum(); }
    std::int64_t timed() const { return cold.timed() + warm.timed(); }
    double sum() const {
        return cold.sum() + warm.sum() + static_cast<double>(untimed.sum()) * warm.mean();
    }
    double mean() const { return typical().mean(); }
    double quantile(double share) const { return typical().quantile(share); }
    double median() const { return quantile(0.5); }

private:
    const Times& typical() const { return warm.count() > 0 ? warm : cold; }
};

/// What is known of calls of the same kind that one algorithm carried out.
struct Record {
    /// Calls of the same operation and size class, on communicators of the same name and size.
    struct Subject {
        std::string comm;
        int ranks;
        std::string operation;
        int size_class;  ///< bits of the bytes that a rank sends by the simplest algorithm

        friend auto operator<=>(const Subject&, const Subject&) = default;
    };

    struct Key {
        Subject subject;
        std::string algorithm;

        friend auto operator<=>(const Key&, const Key&) = default;
    };

    /// The traffic and the time expected of a start.
    struct Forecast {
        choose::TrafficByLevel sent = {};
        double seconds = 0;  ///< by the cost model; 0 if it has none
    };

    Forecast forecast = {};
    Starts starts = {};
    double host_seconds = 0;  ///< the seconds of the host MPI's own collective, if it was measured
    std::int64_t chosen = 0;  ///< the number of the latest choice of it, over all records
};

using Records = std::map<Record::Key, Record>;

/// Calls of an unchanged program that the host MPI made: how many of each operation, and why.
using HostCalls = std::map<std::pair<std::string, std::string>, std::int64_t>;

}  // namespace carpool::report
