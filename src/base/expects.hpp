#pragma once

#include <cstdint>

/// Ends the process, where asserts are compiled in, unless a condition holds that only a mistake of
/// the library's can break. Says condition, place and the numbers that are given with it:
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

/// Up to as many as a check has to say.
struct CheckedNumbers {
    std::int64_t values[4];
    int count;
};

template <typename... Number>
CheckedNumbers numbers(Number... number) {
    static_assert(sizeof...(number) <= 4);
    return {{static_cast<std::int64_t>(number)...}, static_cast<int>(sizeof...(number))};
}

/// Prints what is broken, and aborts.
[[noreturn]] void broken(const char* condition, const char* file, int line, const char* names,
                         const CheckedNumbers& numbers);

}  // namespace carpool::base
