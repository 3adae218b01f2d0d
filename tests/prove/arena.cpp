// SPDX-License-Identifier: MIT
#include "arena.hpp"

#include "processes.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace carpool::model {
namespace {

alignas(4096) std::byte memory[Arena::size];
std::size_t taken = 0;

void* allocated(std::size_t bytes, std::size_t alignment) {
    if (Arena::in_use) return Arena::take(bytes, alignment);
    const auto rounded = (bytes + alignment - 1) / alignment * alignment;
    void* const found = std::aligned_alloc(alignment, rounded > 0 ? rounded : alignment);
    if (found == nullptr) throw std::bad_alloc();
    return found;
}

void freed(void* address) {
    if (!Arena::has(address)) std::free(address);
}

}  // namespace

bool Arena::in_use = false;

std::byte* Arena::begin() { return memory; }

void Arena::reset() {
    std::memset(memory, 0, taken);
    taken = 0;
}

void* Arena::take(std::size_t bytes, std::size_t alignment) {
    const auto at = (taken + alignment - 1) / alignment * alignment;
    if (at + bytes > size) Processes::current->fail("a process takes memory without end");
    taken = at + bytes;
    return memory + at;
}

}  // namespace carpool::model

using carpool::model::allocated;
using carpool::model::freed;

void* operator new(std::size_t bytes) { return allocated(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocated(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* address) noexcept { freed(address); }
void operator delete(void* address, std::size_t) noexcept { freed(address); }
void operator delete(void* address, std::align_val_t) noexcept { freed(address); }
void operator delete(void* address, std::size_t, std::align_val_t) noexcept { freed(address); }
