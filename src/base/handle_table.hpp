// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace carpool::base {

/// The objects of one kind to which users have handles. A handle is not an address but
///
///     16 bits  the table's mark
///     24 bits  how many objects have used the place before
///     24 bits  the place
///
/// and each place stores the handle of the object in it. So a value that is not a handle of this
/// table, or a handle that has been taken back, is recognized without following it as a pointer,
/// until a place has been used 2^24 times. Free places are reused in turn, beginning with the one
/// that has been free for the longest time. Safe for concurrent use by several threads.
/// @tparam Thing  movable; a default-constructed one fills a free place
template <typename Thing>
class HandleTable {
public:
    using Handle = std::uint64_t;

    /// @param mark  the upper 16 bits of no address that a user may have: its bit 7 is set
    explicit constexpr HandleTable(std::uint16_t mark) : mark_(mark) {}

    HandleTable(const HandleTable&) = delete;
    HandleTable& operator=(const HandleTable&) = delete;

    /// Returns null if the value is not a handle, or has been taken back. Takes no lock.
    Thing* find(Handle handle) const {
        const auto number = number_of(handle);
        Place* const chunk = chunks_[number / chunk_size].load(std::memory_order_acquire);
        if (chunk == nullptr) return nullptr;
        Place& place = chunk[number % chunk_size];
        return place.handle.load(std::memory_order_acquire) == handle ? &place.thing : nullptr;
    }

    /// Throws std::bad_alloc if no place is left.
    Handle add(Thing thing) {
        const std::lock_guard lock(mutex_);
        if (free_ < spare && size_ < most) grow();
        if (free_ == 0) throw std::bad_alloc();
        --free_;
        const auto number = first_free_;
        Place& place = place_of(number);
        first_free_ = place.next_free;
        place.thing = std::move(thing);
        const auto uses = Handle{place.uses++ % most};
        const Handle handle = Handle{mark_} << 48 | uses << 24 | number;
        place.handle.store(handle, std::memory_order_release);
        return handle;
    }

    /// Ends a handle and returns the object for which it stood. @pre find() finds the handle
    Thing take(Handle handle) {
        const std::lock_guard lock(mutex_);
        const auto number = number_of(handle);
        give_back(number);
        return std::exchange(place_of(number).thing, Thing{});
    }

private:
    struct Place {
        std::atomic<Handle> handle = 0;
        Thing thing = {};
        std::uint32_t uses = 0;
        std::uint32_t next_free = 0;
    };

    static constexpr std::uint32_t most = 1 << 24;
    static constexpr std::uint32_t chunk_size = 1 << 10;
    static constexpr std::uint32_t spare = 32;  // so that no place is reused at once

    static std::uint32_t number_of(Handle handle) {
        return static_cast<std::uint32_t>(handle % most);
    }

    Place& place_of(std::uint32_t number) {
        Place* const chunk = chunks_[number / chunk_size].load(std::memory_order_relaxed);
        return chunk[number % chunk_size];
    }

    void grow() {
        auto chunk = std::make_unique<Place[]>(chunk_size);
        for (std::uint32_t i = 0; i < chunk_size; ++i) chunk[i].handle = not_of(size_ + i);
        chunks_[size_ / chunk_size].store(chunk.release(), std::memory_order_release);
        for (std::uint32_t i = 0; i < chunk_size; ++i) give_back(size_++);
    }

    /// A value that is not a handle of this place and is never looked up in it.
    static Handle not_of(std::uint32_t number) { return ~Handle{number}; }

    void give_back(std::uint32_t number) {
        place_of(number).handle.store(not_of(number), std::memory_order_release);
        (free_ == 0 ? first_free_ : place_of(last_free_).next_free) = number;
        last_free_ = number;
        ++free_;
    }

    // Chunks are neither moved nor freed, because find() holds no lock.
    std::array<std::atomic<Place*>, most / chunk_size> chunks_ = {};
    std::uint16_t mark_;
    Mutex mutex_;  // guards what follows, and all of a place but its handle
    std::uint32_t size_ = 0;
    std::uint32_t free_ = 0;
    std::uint32_t first_free_ = 0;
    std::uint32_t last_free_ = 0;
};

}  // namespace carpool::base
