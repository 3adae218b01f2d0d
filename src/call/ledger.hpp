#pragma once

#include "choose/load.hpp"

#include <mpi.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

namespace carpool::call {

/// Times in classes that are a fifth wide: their median is known without keeping them.
class Times {
public:
    void add(double seconds);

    std::int64_t count() const { return count_; }
    double sum() const { return sum_; }
    double median() const;  ///< to a tenth; 0 of none

private:
    static constexpr int classes = 200;  // from 10 ns to over a year
    std::array<std::int64_t, classes> in_class_ = {};
    std::int64_t count_ = 0;
    double sum_ = 0;
};

/// What calls were done by, how often and for how long, on this rank: the program's report, where
/// CARPOOL_REPORT wants one. Rank 0 of MPI_COMM_WORLD writes it in MPI_Finalize. Any thread may
/// call anything.
class Ledger {
public:
    /// Of calls that are alike: on communicators of one name and size, of one operation and class
    /// of sizes, by one algorithm.
    struct Key {
        std::string comm;
        int ranks;
        std::string operation;
        int bytes_class;  ///< bits of the bytes that a start sends
        std::string algorithm;

        friend auto operator<=>(const Key&, const Key&) = default;
    };

    struct Entry {
        choose::TrafficByLevel sent = {};  ///< in one start
        Times times = {};
    };

    /// The one of this process; null where no report is wanted.
    static Ledger* wanted();

    /// @return lives as long as the ledger
    Entry& entry(const Key& key, const choose::TrafficByLevel& sent);

    void add(Entry& entry, double seconds);

    static std::shared_ptr<Ledger> on_dup(const std::shared_ptr<Ledger>&) { return nullptr; }
    void on_free();  ///< MPI ends

private:
    void print() const;
    void write(const std::string& file) const;

    mutable std::mutex mutex_;
    std::map<Key, Entry> entries_;
};

/// A communicator's, as the user has named it.
std::string name_of(MPI_Comm comm);

}  // namespace carpool::call
