// SPDX-License-Identifier: MIT
#include "allocations.hpp"

#include <malloc.h>
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> now = 0;
std::atomic<std::int64_t> most = 0;

void* counted(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    const auto more = static_cast<std::int64_t>(malloc_usable_size(memory));
    const auto sum = now.fetch_add(more, std::memory_order_relaxed) + more;
    auto seen = most.load(std::memory_order_relaxed);
    while (seen < sum && !most.compare_exchange_weak(seen, sum, std::memory_order_relaxed)) {
    }
    return memory;
}

void forget(void* memory) {
    if (memory == nullptr) return;
    now.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
    std::free(memory);
}

}  // namespace

std::int64_t allocated_bytes() { return now; }
std::int64_t most_allocated_bytes() { return most; }
void forget_most() { most = now.load(); }

void* operator new(std::size_t bytes) {
    return counted(std::malloc(std::max<std::size_t>(1, bytes)));
}
void operator delete(void* memory) noexcept { forget(memory); }
void operator delete(void* memory, std::size_t) noexcept { forget(memory); }
