// SPDX-License-Identifier: MIT
// All that the program allocates by operator new lies in the arena, so that any buffer of a test
// can be given to the library by its address on the device (on_device.generated.cpp).

#include "arena.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

using carpool::tests::Arena;

void* allocate(std::size_t bytes) {
    if (auto* const memory = Arena::get().allocate(bytes)) return memory;
    throw std::bad_alloc();
}

void release(void* memory) {
    if (memory == nullptr) return;
    if (Arena::get().is_seen(reinterpret_cast<std::uintptr_t>(memory)))
        Arena::get().free(static_cast<std::byte*>(memory));
    else
        std::free(memory);  // allocated before this library was there
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
