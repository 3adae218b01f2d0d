#pragma once

#include "base/mutex.hpp"

#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace carpool::base {

/// Lets only so many calls that end once be under way at a time on a communicator, counted from the
/// oldest that has not ended: their tags come again, and each step of progress looks at all of
/// them. A call behind the window waits in line, and begins when those before it have ended; the
/// line keeps the order of the calls.
///
/// Every rank has initiated all earlier calls when it initiates one, so to wait for their end never
/// waits for a call that a rank has not come to yet.
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

    /// @param turns_before_reuse  of their tags, at least 16
    explicit TurnWindow(std::int64_t turns_before_reuse);

    /// How many turns have been given.
    std::int64_t given() const { return given_; }

    /// How many of these have begun.
    std::int64_t begun() const { return begun_; }

    /// Would a turn that is taken now begin at once?
    bool is_open() const {
        return (under_way_ == 0 && begun_ == given_.load(std::memory_order_relaxed)) || has_room();
    }

    /// A turn that ends before the next is given. @pre is_open
    std::int64_t pass() {
        const auto turn = given_.load(std::memory_order_relaxed);
        given_.store(turn + 1, std::memory_order_relaxed);
        begun_.store(turn + 1, std::memory_order_release);
        return turn;
    }

    /// A turn that is under way, or in line, until end().
    std::int64_t take();

    /// Puts the holder of a turn in line. False if the turn has begun.
    bool put_in_line(std::int64_t turn, Waiter& waiter);

    /// Must be called once for each turn that was taken, begun or not; lets others begin.
    void end(std::int64_t turn);

    /// The same, where no other may begin now: they do when another one ends.
    void leave(std::int64_t turn);

private:
    static constexpr std::size_t widest = 64;

    /// In line.
    struct Place {
        std::int64_t turn;
        Waiter* waiter = nullptr;  ///< null before it is known
        bool ended = false;        ///< before it has begun
    };

    bool has_room() const;
    bool fits() const { return under_way_ == 0 || begun() - oldest_ < width_; }
    void begin(std::int64_t turn);
    Place* place_of(std::int64_t turn);
    Waiter* begin_next();

    std::int64_t width_;
    std::atomic<std::int64_t> given_ = 0;
    std::atomic<std::int64_t> begun_ = 0;
    std::atomic<std::int64_t> under_way_ = 0;  // taken, begun, not ended

    mutable base::Mutex mutex_;    // of what follows: any thread may progress a call to its end
    std::int64_t oldest_ = 0;      // under way, if any is
    std::bitset<widest> running_;  // which are, by their number modulo the width
    std::deque<Place> line_;       // turns without a gap
};

}  // namespace carpool::base
