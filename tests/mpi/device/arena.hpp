// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace carpool::tests {

/// The device's memory: a file in memory that is mapped twice. The program gets the addresses of a
/// mapping that no CPU can read or write; the driver and the tests use the other one.
class Arena {
public:
    static Arena& get();

    /// Memory as tests see it; null if the arena is full.
    std::byte* allocate(std::size_t bytes);
    void free(std::byte* memory);

    bool is_on_device(std::uintptr_t address) const { return is_in(device_, address); }
    bool is_seen(std::uintptr_t address) const { return is_in(seen_, address); }
    std::uintptr_t seen(std::uintptr_t on_device) const { return on_device - device_ + seen_; }
    std::uintptr_t on_device(std::uintptr_t seen) const { return seen - seen_ + device_; }

private:
    Arena();

    static constexpr std::size_t size = std::size_t{8} << 30;  // pages are taken when touched
    static constexpr std::size_t header = 64;                  // before each piece: its class

    static bool is_in(std::uintptr_t begin, std::uintptr_t address) {
        return address - begin < size;
    }

    std::mutex mutex_;
    std::uintptr_t seen_ = 0;
    std::uintptr_t device_ = 0;
    std::size_t cut_ = 0;
    std::array<std::byte*, 48> free_ = {};  // lists of pieces of 2^i bytes
};

}  // namespace carpool::tests
