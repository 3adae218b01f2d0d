#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>

namespace carpool::shared {

using MayTake = bool (*)();

/// Memory of this process that others may map and read. It has no name: nothing is left behind,
/// however the process ends, and who is not of the same user has no way to it. Any thread may call
/// anything.
class Memory {
public:
    /// Of so many bytes at most; pages are taken as they are needed. Null where the system has no
    /// such memory to give.
    /// @param may_take  asked before each piece, where a test wants some not to be had
    static std::unique_ptr<Memory> create(std::size_t most, MayTake may_take = nullptr);

    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory();

    int descriptor() const { return descriptor_; }
    std::byte* at(std::size_t offset) const { return start_ + offset; }

    /// The offset of a piece that is taken for good, a multiple of 128; nothing if no more is to be
    /// had.
    std::optional<std::size_t> take(std::size_t bytes);

    std::size_t in_use() const;  ///< bytes
    std::size_t most() const { return most_; }

    /// Is there more to be had, as far as a test lets it?
    bool lets_take() const { return may_take_ == nullptr || may_take_(); }

    /// How many bytes are taken where so many are asked for.
    static std::size_t piece(std::size_t bytes);

private:
    Memory(int descriptor, std::byte* start, std::size_t most, MayTake may_take)
        : descriptor_(descriptor), start_(start), most_(most), may_take_(may_take) {}

    bool grow(std::size_t end);

    int descriptor_;
    std::byte* start_;
    std::size_t most_;
    MayTake may_take_;
    mutable std::mutex mutex_;  // of what follows
    std::size_t end_ = 0;       // of what has ever been taken
    std::size_t backed_ = 0;    // by pages
    bool refused_ = false;      // the system gives no more
};

/// Memory of another process, to be read.
class Window {
public:
    /// Null where it cannot be mapped.
    static std::unique_ptr<Window> open(long process, int descriptor);

    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window();

    const std::byte* at(std::size_t offset) const { return start_ + offset; }

private:
    Window(const std::byte* start, std::size_t size) : start_(start), size_(size) {}

    const std::byte* start_;
    std::size_t size_;
};

}  // namespace carpool::shared
