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
class TurnWindow {
public:
    /// A call in line.
    class Waiter {
    public:
        /// Called when its turn has begun.
        virtual void begin_turn() = 0;

    protected:
        ~Waiter() = default;
    };

    /// @param turns_before_reuse  tags are reused after that many turns, at least 16
    explicit TurnWindow(std::int64_t turns_before_reuse);

    /// The number of turns that have been given.
    std::int64_t given() const { return given_; }

    /// The number of given turns that have begun.
    std::int64_t begun() const { return begun_; }

    /// Would a turn that is taken now begin at once?
    bool is_open() const {
        return (under_way_ == 0 && begun_ == given_.load(std::memory_order_relaxed)) || has_room();
    }

    /// Gives a turn that ends before the next one is given. @pre is_open()
    std::int64_t pass() {
        const auto turn = given_.load(std::memory_order_relaxed);
        given_.store(turn + 1, std::memory_order_relaxed);
        begun_.store(turn + 1, std::memory_order_release);
        return turn;
    }

    /// Gives a turn that is under way, or in line, until end().
    std::int64_t take();

    /// Sets the waiter of a turn that is in line. Returns false if the turn has begun.
    bool put_in_line(std::int64_t turn, Waiter& waiter);

    /// Ends a turn, begun or not, and lets others begin. Must be called once for each turn that was
    /// taken.
    void end(std::int64_t turn);

    /// Ends a turn as end() does, but lets no other begin now: they begin when another turn ends.
    void leave(std::int64_t turn);

private:
    static constexpr std::size_t widest = 64;

    /// A turn in line.
    struct Place {
        std::int64_t turn;
        Waiter* waiter = nullptr;  ///< null until it is known
        bool ended = false;        ///< the turn ended before it began
    };

    bool has_room() const;
    bool fits() const { return under_way_ == 0 || begun() - oldest_ < width_; }
    void begin(std::int64_t turn);
    Place* place_of(std::int64_t turn);
    Waiter* begin_next();

    std::int64_t width_;
    std::atomic<std::int64_t> given_ = 0;
    std::atomic<std::int64_t> begun_ = 0;
    std::atomic<std::int64_t> under_way_ = 0;  // taken turns that have begun and not ended

    mutable base::Mutex mutex_;    // guards what follows: any thread may end a call
    std::int64_t oldest_ = 0;      // the oldest turn under way, if there is any
    std::bitset<widest> running_;  // which turns are under way, by their number modulo widest
    std::deque<Place> line_;       // consecutive turns
};

}  // namespace carpool::base
