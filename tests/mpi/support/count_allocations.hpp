// SPDX-License-Identifier: MIT
#pragma once
// Counts calls of operator new in a program and its libraries, and can make large ones fail.
// Include it once per program.

#include <cstdlib>
#include <limits>
#include <new>

namespace carpool::tests {
inline long allocations = 0;

/// Allocations of more bytes fail.
inline constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();
inline std::size_t largest_allocation = any_size;
}  // namespace carpool::tests

// Not inlined, since GCC would warn of a new that is paired with free.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++carpool::tests::allocations;
    void* const memory =
        size <= carpool::tests::largest_allocation ? std::malloc(size ? size : 1) : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++carpool::tests::allocations;  // for std::stable_sort
    return std::malloc(size ? size : 1);
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
