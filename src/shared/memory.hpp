// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace carpool::shared {

using MayTake = bool (*)();

/// Memory of this process that other processes may map and read. It has no name, so nothing is left
/// behind however the process ends, and only processes of the same user can open it. Any thread may
/// call any function.
class Memory {
public:
    /// Reserves room for at most that many bytes; pages are allocated as they are needed. Null if
    /// the system has no such memory.
    /// @param may_take  asked before each piece, for tests in which memory runs out
    static std::unique_ptr<Memory> create(std::size_t most, MayTake may_take = nullptr);

    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory();

    int descriptor() const { return descriptor_; }
    std::byte* at(std::size_t offset) const { return start_ + offset; }

    /// Takes a piece for good. Returns its offset, a multiple of 128, or nothing if no memory is
    /// left.
    std::optional<std::size_t> take(std::size_t bytes);

    std::span<const std::byte> whole() const { return {start_, most_}; }

    std::size_t in_use() const;  ///< in bytes
    std::size_t most() const { return most_; }

    /// Whether more memory may be taken: a test may refuse it.
    bool lets_take() const { return may_take_ == nullptr || may_take_(); }

    /// The number of bytes that are taken for a request of that many.
    static std::size_t piece(std::size_t bytes);

private:
    Memory(int descriptor, std::byte* start, std::size_t most, MayTake may_take)
        : descriptor_(descriptor), start_(start), most_(most), may_take_(may_take) {}

    bool grow(std::size_t end);

    int descriptor_;
    std::byte* start_;
    std::size_t most_;
    MayTake may_take_;
    mutable std::mutex mutex_;  // guards what follows
    std::size_t end_ = 0;       // the offset behind all pieces that have been taken
    std::size_t backed_ = 0;    // this many bytes have pages
    bool refused_ = false;      // the system gives no more
};

/// Memory of another process, mapped for reading.
class Window {
public:
    /// Null if it cannot be mapped.
    static std::unique_ptr<Window> open(long process, int descriptor);

    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window();

    std::span<const std::byte> whole() const { return {start_, size_}; }

    /// The object at an offset, which the other process has said; null if it has no room there.
    template <typename Object>
    const Object* find(std::uint64_t offset) const {
        const bool fits = offset <= size_ && sizeof(Object) <= size_ - offset;
        return fits && offset % alignof(Object) == 0
                   ? reinterpret_cast<const Object*>(start_ + offset)
                   : nullptr;
    }

private:
    Window(const std::byte* start, std::size_t size) : start_(start), size_(size) {}

    const std::byte* start_;
    std::size_t size_;
};

}  // namespace carpool::shared
