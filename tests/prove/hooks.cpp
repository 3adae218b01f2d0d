// SPDX-License-Identifier: MIT
// What GCC and clang call before each access to memory in code that is compiled for the thread
// sanitizer. Here the calls lead to the model of memory. There is no other instrumentation, so the
// code that is checked is the code that is shipped.

#include "arena.hpp"
#include "processes.hpp"

#include <cstdint>
#include <cstring>

namespace carpool::model {
namespace {

/// As the compilers number them.
enum : int { relaxed, consume, acquire, release, acquire_release, sequential };

bool acquires(int order) { return order != relaxed && order != release; }
bool releases(int order) {
    return order == release || order == acquire_release || order == sequential;
}

/// Null while the checker itself runs.
Processes* processes() { return Arena::in_use ? Processes::current : nullptr; }

Access reach(Processes& all, const volatile void* object, int bytes, Order order, Site site) {
    return all.reach(reinterpret_cast<std::uintptr_t>(object), bytes, order, site);
}

template <typename T>
T load(const volatile T* object, int order, Site site) {
    auto* const all = processes();
    if (all == nullptr) return *object;
    const auto access = reach(*all, object, sizeof(T), {acquires(order), false}, site);
    const OutsideArena outside;
    const auto value = all->load(access);
    all->note(access, "reads", value);
    return static_cast<T>(value);
}

template <typename T>
void store(volatile T* object, T value, int order, Site site) {
    auto* const all = processes();
    if (all == nullptr) {
        *object = value;
        return;
    }
    const auto access = reach(*all, object, sizeof(T), {false, releases(order)}, site);
    const OutsideArena outside;
    all->memory().store(access, value);
    all->note(access, "writes", value);
}

template <typename T, typename Change>
T modify(volatile T* object, int order, Site site, const Change& change) {
    auto* const all = processes();
    if (all == nullptr) {
        const T before = *object;
        *object = change(before);
        return before;
    }
    const auto access = reach(*all, object, sizeof(T), {acquires(order), releases(order)}, site);
    const OutsideArena outside;
    const auto before = all->memory().modify(access, [&](std::uint64_t value) {
        return static_cast<std::uint64_t>(change(static_cast<T>(value)));
    });
    all->note(access, "changes", before);
    return static_cast<T>(before);
}

template <typename T>
int compare_exchange(volatile T* object, T* expected, T desired, int order, int failure,
                     Site site) {
    auto* const all = processes();
    if (all == nullptr) {
        if (*object == *expected) {
            *object = desired;
            return 1;
        }
        *expected = *object;
        return 0;
    }
    const auto access = reach(*all, object, sizeof(T), {acquires(order), releases(order)}, site);
    const OutsideArena outside;
    std::uint64_t known = *expected;
    const bool done = all->memory().compare_exchange(access, known, desired,
                                                     access.order.acquires && acquires(failure));
    all->note(access, done ? "exchanges" : "does not exchange", known);
    *expected = static_cast<T>(known);
    return done ? 1 : 0;
}

void read(const void* from, std::size_t bytes, Site site) {
    auto* const all = processes();
    if (all == nullptr || !Arena::has(from)) return;
    const OutsideArena outside;
    all->memory().read(all->running(), from, bytes, site);
}

void write(const void* to, std::size_t bytes, Site site) {
    auto* const all = processes();
    if (all == nullptr || !Arena::has(to)) return;
    const OutsideArena outside;
    all->memory().write(all->running(), to, bytes, site);
}

}  // namespace
}  // namespace carpool::model

using namespace carpool;

#define SITE __builtin_return_address(0)

// NOLINTBEGIN: the names are the compilers'
extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** to, void*) { model::write(to, sizeof *to, SITE); }
void __tsan_vptr_read(void** from) { model::read(from, sizeof *from, SITE); }
void __tsan_read_range(const void* from, std::size_t bytes) { model::read(from, bytes, SITE); }
void __tsan_write_range(void* to, std::size_t bytes) { model::write(to, bytes, SITE); }

#define PLAIN(BYTES)                                                                        \
    void __tsan_read##BYTES(const void* from) { model::read(from, BYTES, SITE); }           \
    void __tsan_write##BYTES(void* to) { model::write(to, BYTES, SITE); }                   \
    void __tsan_unaligned_read##BYTES(const void* from) { model::read(from, BYTES, SITE); } \
    void __tsan_unaligned_write##BYTES(void* to) { model::write(to, BYTES, SITE); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

#define CHANGE(BITS, NAME, RESULT)                                                          \
    std::uint##BITS##_t __tsan_atomic##BITS##_##NAME(volatile std::uint##BITS##_t* object,  \
                                                     std::uint##BITS##_t with, int order) { \
        return model::modify(object, order, SITE, [&](std::uint##BITS##_t value) {          \
            return static_cast<std::uint##BITS##_t>(RESULT);                                \
        });                                                                                 \
    }

#define ATOMIC(BITS)                                                                           \
    std::uint##BITS##_t __tsan_atomic##BITS##_load(const volatile std::uint##BITS##_t* object, \
                                                   int order) {                                \
        return model::load(object, order, SITE);                                               \
    }                                                                                          \
    void __tsan_atomic##BITS##_store(volatile std::uint##BITS##_t* object,                     \
                                     std::uint##BITS##_t value, int order) {                   \
        model::store(object, value, order, SITE);                                              \
    }                                                                                          \
    CHANGE(BITS, exchange, (static_cast<void>(value), with))                                   \
    CHANGE(BITS, fetch_add, value + with)                                                      \
    CHANGE(BITS, fetch_sub, value - with)                                                      \
    CHANGE(BITS, fetch_and, value& with)                                                       \
    CHANGE(BITS, fetch_or, value | with)                                                       \
    int __tsan_atomic##BITS##_compare_exchange_strong(                                         \
        volatile std::uint##BITS##_t* object, std::uint##BITS##_t* expected,                   \
        std::uint##BITS##_t desired, int order, int failure) {                                 \
        return model::compare_exchange(object, expected, desired, order, failure, SITE);       \
    }                                                                                          \
    int __tsan_atomic##BITS##_compare_exchange_weak(                                           \
        volatile std::uint##BITS##_t* object, std::uint##BITS##_t* expected,                   \
        std::uint##BITS##_t desired, int order, int failure) {                                 \
        return model::compare_exchange(object, expected, desired, order, failure, SITE);       \
    }
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

/// The code that is checked has no fences; a model of them would be needed.
void __tsan_atomic_thread_fence(int) {
    if (auto* const all = model::processes()) all->fail("a fence, which the model does not know");
}
void __tsan_atomic_signal_fence(int) {}

// The linker leads calls of these functions here (--wrap).

void* __real_memcpy(void* to, const void* from, std::size_t bytes);
void* __real_memmove(void* to, const void* from, std::size_t bytes);
void* __real_memset(void* to, int value, std::size_t bytes);

void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
    model::read(from, bytes, SITE);
    model::write(to, bytes, SITE);
    return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
    model::read(from, bytes, SITE);
    model::write(to, bytes, SITE);
    return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
    model::write(to, bytes, SITE);
    return __real_memset(to, value, bytes);
}
}
// NOLINTEND
