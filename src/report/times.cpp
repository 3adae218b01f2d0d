// SPDX-License-Identifier: MIT
#include "report/times.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace carpool::report {
namespace {

/// The number of a time's class, an eighth of an octave: its exponent and the highest three bits of
/// its fraction.
constexpr std::uint64_t number_of(double seconds) {
    return std::bit_cast<std::uint64_t>(seconds) >> 49;
}

constexpr double shortest = 0x1p-28;
constexpr std::uint64_t first = number_of(shortest);
constexpr std::uint64_t middle = std::uint64_t{1} << 48;  // of a class

}  // namespace

void Times::add(const TimeTaken& time, std::int64_t stands_for) {
    const auto number = number_of(std::max(time.seconds, shortest)) - first;
    in_class_[std::min<std::size_t>(number, in_class_.size() - 1)] += stands_for;
    count_ += stands_for;
    ++timed_;
    seconds_ += static_cast<double>(stands_for) * time.seconds;
    charged_ += static_cast<double>(stands_for) * time.charged;
}

void Times::add(const Times& others) {
    std::ranges::transform(in_class_, others.in_class_, in_class_.begin(), std::plus());
    count_ += others.count_;
    timed_ += others.timed_;
    seconds_ += others.seconds_;
    charged_ += others.charged_;
}

double Times::quantile(double share) const {
    std::int64_t below = 0;
    for (std::size_t i = 0; i < in_class_.size(); ++i) {
        below += in_class_[i];
        if (below > 0 && static_cast<double>(below) >= share * static_cast<double>(count_))
            return std::bit_cast<double>((first + i) << 49 | middle);
    }
    return 0;
}

std::shared_ptr<Untimed> UntimedStarts::another() {
    if (counts_.size() >= many_) sum_up();
    return counts_.emplace_back(std::make_shared<Untimed>(0));
}

std::int64_t UntimedStarts::sum() const {
    auto result = of_gone_;
    for (const auto& count : counts_) result += count->load(std::memory_order_relaxed);
    return result;
}

void UntimedStarts::sum_up() {
    std::erase_if(counts_, [&](const auto& count) {
        const bool gone = count.use_count() == 1;
        if (gone) of_gone_ += count->load(std::memory_order_relaxed);
        return gone;
    });
    many_ = std::max(many_, 2 * counts_.size());
}

}  // namespace carpool::report
