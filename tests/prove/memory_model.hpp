// SPDX-License-Identifier: MIT
#pragma once

#include "checker.hpp"
#include "clock.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace carpool::model {

/// What C++ promises about one access to an atomic object.
struct Order {
    bool acquires;
    bool releases;
};

/// An access of a running process to an atomic object.
struct Access {
    std::size_t process;
    std::uintptr_t address;
    int bytes;
    Order order;
    Site site;
};

/// The memory of an execution by the C++ memory model, with views: a process that reads an atomic
/// object may see any value that is not older than one it knows of, and knows as much as the writer
/// did once it acquires what that released. Accesses that are not atomic must be ordered by that;
/// else it is a data race.
///
/// Not all that C++ allows is explored: an atomic object takes its values in the order in which the
/// execution writes them, and no process reads what is written later.
class MemoryModel {
public:
    /// @param choose  answers a choice: a number less than its argument
    /// @param fail    is told of a data race; does not return
    MemoryModel(std::function<int(int)> choose, std::function<void(const std::string&)> fail)
        : choose_(std::move(choose)), fail_(std::move(fail)) {}

    /// Forgets everything. @param stale  so many reads of an execution may see an old value
    void reset(int stale);

    std::uint64_t load(const Access& access);

    /// The value that the process has read last, if it has read one.
    std::optional<std::uint64_t> read_before(const Access& access) const;

    void store(const Access& access, std::uint64_t value);

    /// Reads the latest value and writes another one. Returns the value read.
    std::uint64_t modify(const Access& access,
                         const std::function<std::uint64_t(std::uint64_t)>& other);

    /// Returns whether it has been exchanged; otherwise sets `expected` to the value read.
    bool compare_exchange(const Access& access, std::uint64_t& expected, std::uint64_t desired,
                          bool failure_acquires);

    void read(std::size_t process, const void* from, std::size_t bytes, Site site);
    void write(std::size_t process, const void* to, std::size_t bytes, Site site);

    /// All that a process has done so far happens before what the other one does next.
    void order(std::size_t before, std::size_t after);

    /// From now on a process reads the latest values only, or not any more.
    void see_latest(std::size_t process, bool latest) { sees_latest_[process] = latest; }

    /// Whether a process has seen old values since that was last asked.
    bool has_seen_old(std::size_t process) { return std::exchange(saw_old_[process], false); }

    /// How many values other processes have written.
    std::uint64_t values_by_others(std::size_t process) const {
        return written_ - written_by_[process];
    }

private:
    struct Value {
        std::uint64_t bits;
        Clock clock;  // what is known to who acquires it
        View view;
    };
    struct Object {
        std::size_t number;
        std::vector<Value> values;  // in modification order
        std::optional<std::size_t> last_read[most_processes] = {};
    };
    struct Process {
        Clock clock;
        View view;
    };

    /// The latest accesses to a byte that are not atomic.
    struct Shadow {
        std::uint32_t written = 0;
        std::uint8_t writer = 0;
        std::uint32_t read[most_processes] = {};
        Site write_site = nullptr;
        Site read_site = nullptr;
    };

    Object& object_at(const Access& access);
    std::size_t readable(const Access& access, const Object& object);
    void learn(const Access& access, Object& object, std::size_t value, bool acquires);
    void add(const Access& access, Object& object, std::uint64_t bits, const Value* continued);
    Shadow* shadow_of(const void* address);
    void report_race(const char* kind, Site one, Site other);

    std::function<int(int)> choose_;
    std::function<void(const std::string&)> fail_;
    std::unordered_map<std::uintptr_t, Object> objects_;
    Process processes_[most_processes];
    bool sees_latest_[most_processes] = {};
    bool saw_old_[most_processes] = {};
    std::uint64_t written_ = 0;
    std::uint64_t written_by_[most_processes] = {};
    int stale_ = 0;
    std::vector<Shadow> shadows_;
    std::vector<std::size_t> touched_;
};

}  // namespace carpool::model
