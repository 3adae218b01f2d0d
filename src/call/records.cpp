#include "call/records.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace carpool::call {
namespace {

/// Counts eighths of an octave: its exponent and the highest three bits of its fraction.
constexpr std::uint64_t number_of(double seconds) {
    return std::bit_cast<std::uint64_t>(seconds) >> 49;
}

constexpr double shortest = 0x1p-28;
constexpr std::uint64_t first = number_of(shortest);
constexpr std::uint64_t middle = std::uint64_t{1} << 48;  // of a class

}  // namespace

void Times::add(double seconds) {
    const auto number = number_of(std::max(seconds, shortest)) - first;
    ++in_class_[std::min<std::size_t>(number, in_class_.size() - 1)];
    ++count_;
    sum_ += seconds;
}

double Times::median() const {
    std::int64_t below = 0;
    for (std::size_t i = 0; i < in_class_.size(); ++i) {
        below += in_class_[i];
        if (below > 0 && 2 * below >= count_)
            return std::bit_cast<double>((first + i) << 49 | middle);
    }
    return 0;
}

}  // namespace carpool::call
