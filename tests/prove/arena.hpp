// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace carpool::model {

/// The memory of a scenario, from which operator new takes while it runs. No memory is reused
/// within an execution, so that each execution has its objects at the same addresses, and nothing
/// is freed: an execution may end anywhere.
class Arena {
public:
    static constexpr std::size_t size = std::size_t{1} << 22;

    static std::byte* begin();
    static bool has(const void* address) { return offset_of(address) < size; }
    static std::size_t offset_of(const void* address) {
        return static_cast<std::size_t>(static_cast<const std::byte*>(address) - begin());
    }

    /// Fills all that was taken with zeros, and begins anew.
    static void reset();
    static void* take(std::size_t bytes, std::size_t alignment);

    /// Whether operator new takes from the arena.
    static bool in_use;
};

/// In its scope operator new does not take from the arena: the checker's own memory.
class OutsideArena {
public:
    OutsideArena() : before_(Arena::in_use) { Arena::in_use = false; }
    OutsideArena(const OutsideArena&) = delete;
    ~OutsideArena() { Arena::in_use = before_; }

private:
    bool before_;
};

}  // namespace carpool::model
