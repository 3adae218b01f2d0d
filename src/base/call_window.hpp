// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"

#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace carpool::base {

/// Limits how many blocking and nonblocking calls are under way at a time on a communicator,
/// counted from the oldest that has not ended: their tags are reused, and each step of progress
/// looks at all of them. A call beyond the window waits in line and begins when those before it
/// have ended; the line keeps the order of the calls.
///
/// Every rank has initiated all earlier calls when it initiates a call, so it can wait for their
/// end without waiting for a call that another rank has not reached yet.
class CallWindow {
public:
    /// The owner of a call in line.
    class Waiter {
    public:
        /// Called when the call may begin.
        virtual void begin_call() = 0;

    protected:
        ~Waiter() = default;
    };

    /// @param calls_before_reuse  tags are reused after that many calls, at least 16
    explicit CallWindow(std::int64_t calls_before_reuse);

    /// The number of calls that have a number.
    std::int64_t numbered() const { return numbered_; }

    /// The number of these calls that have begun.
    std::int64_t begun() const { return begun_; }

    /// Would a call that takes a number now begin at once?
    bool is_open() const {
        return (under_way_ == 0 && begun_ == numbered_.load(std::memory_order_relaxed)) ||
               has_room();
    }

    /// Numbers a call that ends before the next one is numbered. @pre is_open()
    std::int64_t pass() {
        const auto number = numbered_.load(std::memory_order_relaxed);
        numbered_.store(number + 1, std::memory_order_relaxed);
        begun_.store(number + 1, std::memory_order_release);
        return number;
    }

    /// Numbers a call that is under way, or in line, until end().
    std::int64_t take();

    /// Sets the waiter of a call that is in line. Returns false if the call has begun.
    bool put_in_line(std::int64_t number, Waiter& waiter);

    /// Ends a call, begun or not, and lets others begin. Must be called once for each call that was
    /// taken.
    void end(std::int64_t number);

    /// Ends a call as end() does, but lets no other begin now: they begin when another call ends.
    void leave(std::int64_t number);

private:
    static constexpr std::size_t widest = 64;

    /// A call in line.
    struct Place {
        std::int64_t number;
        Waiter* waiter = nullptr;  ///< null until it is known
        bool ended = false;        ///< the call ended before it began
    };

    bool has_room() const;
    bool fits() const { return under_way_ == 0 || begun() - oldest_ < width_; }
    void begin(std::int64_t number);
    Place* place_of(std::int64_t number);
    Waiter* begin_next();

    std::int64_t width_;
    std::atomic<std::int64_t> numbered_ = 0;
    std::atomic<std::int64_t> begun_ = 0;
    std::atomic<std::int64_t> under_way_ = 0;  // calls that have begun and not ended

    mutable base::Mutex mutex_;    // guards what follows: any thread may end a call
    std::int64_t oldest_ = 0;      // the oldest call under way, if there is any
    std::bitset<widest> running_;  // which calls are under way, by their number modulo widest
    std::deque<Place> line_;       // consecutive calls
};

}  // namespace carpool::base
