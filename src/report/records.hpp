// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"
#include "report/comms.hpp"
#include "report/times.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>

namespace carpool::report {

// A report lists calls by their size: the bytes that this rank sends or, if it sends none, that it
// receives.

/// Sizes within a factor of two have the same class: the bits of the least size above them.
int size_class_of(std::int64_t bytes);

/// The least and the most bytes of a number of calls.
struct SizeRange {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;

    void add(const SizeRange& others) {
        least = std::min(least, others.least);
        most = std::max(most, others.most);
    }
};

/// What is known of starts of the same kind that one algorithm carried out.
struct Record {
    /// Starts of the same operation and size class on a communicator.
    struct Subject {
        int comm;  ///< its number in Comms
        std::string operation;
        bool persistent;  ///< starts of requests; else blocking and nonblocking calls
        int size_class = 0;

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
    SizeRange bytes = {};
    Starts starts = {};
    double host_seconds = 0;  ///< the seconds of the host MPI's own collective, if it was measured
    std::int64_t chosen = 0;  ///< the number of the latest choice of it, over all records
};

using Records = std::map<Record::Key, Record>;

/// A maker of a call of an unchanged program.
enum class Maker { host, carpool };

/// Calls of an unchanged program of one operation and size class on a communicator, blocking or
/// nonblocking, that had the same maker. They are timed from the program's call to the return of
/// the call that completes it. Charged is only the time inside calls of MPI.
struct Calls {
    struct Key {
        int comm;
        std::string_view operation;  ///< lives as long as the program
        int size_class;
        Maker maker;

        friend auto operator<=>(const Key&, const Key&) = default;
    };

    SizeRange bytes = {};
    Starts ended = {};
    std::int64_t open = 0;    ///< nonblocking calls whose end has not been seen
    double open_charged = 0;  ///< the seconds that these are charged

    std::int64_t count() const { return ended.count() + open; }
    double charged() const { return ended.charged() + open_charged; }
    void add(const Calls& others);
};

using CallRecords = std::map<Calls::Key, Calls>;

/// Calls of an unchanged program that the host made, for the same reason.
struct HostCalls {
    struct Key {
        std::string why;
        std::string operation;

        friend auto operator<=>(const Key&, const Key&) = default;
    };

    /// In a remedy it stands for the operations that have it.
    static constexpr std::string_view placeholder = "OPERATIONS";

    std::string remedy;  ///< what the user can do about it; empty if nothing
    std::int64_t count = 0;
    double charged = 0;
};

using HostCallRecords = std::map<HostCalls::Key, HostCalls>;

/// All that a process has recorded.
struct RecordedCalls {
    Comms comms;
    Records records;
    CallRecords calls;
    HostCallRecords host_calls;
    bool unchanged = false;  ///< the program knows nothing of Carpool
    double run_seconds = 0;  ///< from the process's start to now
};

}  // namespace carpool::report
