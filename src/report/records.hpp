#pragma once

#include "choose/load.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace carpool::report {

/// Times in classes that are an eighth wide or less: their median is known without keeping them.
class Times {
public:
    /// @param stands_for  so many starts, of which this one was timed
    void add(double seconds, std::int64_t stands_for = 1);

    std::int64_t count() const { return count_; }  ///< of all starts
    std::int64_t timed() const { return timed_; }  ///< of those that were timed
    double sum() const { return sum_; }            ///< of all, as far as those timed say it
    double median() const;                         ///< to a tenth; 0 of none

private:
    static constexpr int octaves = 50;  // from 4 ns to over a month
    std::array<std::int64_t, 8 * octaves> in_class_ = {};
    std::int64_t count_ = 0;
    std::int64_t timed_ = 0;
    double sum_ = 0;
};

/// Starts of one communication since one was timed. The thread that has it in hand counts, any may
/// read.
using Untimed = std::atomic<std::int64_t>;

/// The untimed starts of all communications of one record.
class UntimedStarts {
public:
    /// For a communication. Those that are gone are summed up now and then.
    std::shared_ptr<Untimed> another();

    std::int64_t sum() const;

private:
    void sum_up();

    std::vector<std::shared_ptr<Untimed>> counts_;
    std::size_t many_ = 16;
    std::int64_t of_gone_ = 0;
};

/// The first start of a request, or of a call that is done again, is cold: memory is touched and
/// connections are made. Where there are others, they say how long one takes.
struct Starts {
    Times cold = {};
    Times warm = {};
    UntimedStarts untimed = {};  ///< more of them, for which no time stands

    std::int64_t count() const { return cold.count() + warm.count() + untimed.sum(); }
    std::int64_t timed() const { return cold.timed() + warm.timed(); }
    double sum() const {
        return cold.sum() + warm.sum() + static_cast<double>(untimed.sum()) * mean();
    }
    double median() const { return (warm.count() > 0 ? warm : cold).median(); }

private:
    double mean() const {
        return warm.count() > 0 ? warm.sum() / static_cast<double>(warm.count()) : 0;
    }
};

/// How calls that are alike were done by one algorithm.
struct Record {
    /// On communicators of one name and size, of one operation and class of sizes.
    struct Problem {
        std::string comm;
        int ranks;
        std::string operation;
        int size_class;  ///< bits of the bytes that a rank sends by the simplest algorithm

        friend auto operator<=>(const Problem&, const Problem&) = default;
    };

    struct Key {
        Problem problem;
        std::string algorithm;

        friend auto operator<=>(const Key&, const Key&) = default;
    };

    /// What a start is thought to ask for.
    struct Forecast {
        choose::TrafficByLevel sent = {};
        double seconds = 0;  ///< as the model says; 0 where it says nothing
    };

    Forecast forecast = {};
    Starts starts = {};
    double host_seconds = 0;  ///< of MPI's own collective, where it was measured
};

using Records = std::map<Record::Key, Record>;

}  // namespace carpool::report
