// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// Aborts the process, in builds with asserts, if a condition is false that only a bug in the
/// library can make false. Prints the condition, its place and the numbers that are passed with it:
///
///     CARPOOL_EXPECTS(slot < slots, rank, slot, slots);
#ifdef NDEBUG
#define CARPOOL_EXPECTS(condition, ...) static_cast<void>(0)
#else
#define CARPOOL_EXPECTS(condition, ...)                                                     \
    ((condition) ? static_cast<void>(0)                                                     \
                 : ::carpool::base::broken(#condition, __FILE__, __LINE__, "" #__VA_ARGS__, \
                                           ::carpool::base::numbers(__VA_ARGS__)))
#endif

namespace carpool::base {

/// The numbers that a failed check prints, at most four.
struct CheckedNumbers {
    std::int64_t values[4];
    int count;
};

template <typename... Number>
CheckedNumbers numbers(Number... number) {
    static_assert(sizeof...(number) <= 4);
    return {{static_cast<std::int64_t>(number)...}, static_cast<int>(sizeof...(number))};
}

/// Prints the condition that is false, and aborts.
[[noreturn]] void broken(const char* condition, const char* file, int line, const char* names,
                         const CheckedNumbers& numbers);

}  // namespace carpool::base
