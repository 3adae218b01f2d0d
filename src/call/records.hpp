#pragma once

#include "choose/load.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace carpool::call {

/// Times in classes that are an eighth wide or less: their median is known without keeping them.
class Times {
public:
    void add(double seconds);

    std::int64_t count() const { return count_; }
    double sum() const { return sum_; }
    double median() const;  ///< to a tenth; 0 of none

private:
    static constexpr int octaves = 50;  // from 4 ns to over a month
    std::array<std::int64_t, 8 * octaves> in_class_ = {};
    std::int64_t count_ = 0;
    double sum_ = 0;
};

/// The first start of a request, or of a call that is done again, is cold: memory is touched and
/// connections are made. Where there are others, they say how long one takes.
struct Starts {
    Times cold = {};
    Times warm = {};

    std::int64_t count() const { return cold.count() + warm.count(); }
    double sum() const { return cold.sum() + warm.sum(); }
    double median() const { return (warm.count() > 0 ? warm : cold).median(); }
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
};

using Records = std::map<Record::Key, Record>;

}  // namespace carpool::call
