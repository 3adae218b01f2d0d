#pragma once
// Counts the operator news of a program, its libraries included. Include it once per program.

#include <cstdlib>
#include <new>

namespace carpool::tests {
inline long allocations = 0;
}

// Never inlined: GCC would warn of a new that meets a free.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++carpool::tests::allocations;
    if (void* memory = std::malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++carpool::tests::allocations;  // std::stable_sort's
    return std::malloc(size ? size : 1);
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return operator new(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
