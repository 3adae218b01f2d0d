// SPDX-License-Identifier: MIT
#include "routing/basis/trade_off.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace carpool::routing {
namespace {

using Picks = std::vector<std::size_t>;

Picks all_of(std::span<const Counts> all) {
    Picks numbers(all.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

template <typename Rank>
std::size_t least_by(std::span<const Counts> all, Rank rank) {
    const auto least = std::min_element(
        all.begin(), all.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return static_cast<std::size_t>(least - all.begin());
}

/// How often each is the cheapest.
std::vector<int> wins(std::span<const Counts> all, double block) {
    std::vector<int> wins(all.size(), 0);
    for (const double phase : {0.0, 0.25, 1.0, 4.0, 16.0})
        for (double byte = 1.0 / (1 << 14); byte <= 16; byte *= 2)
            ++wins[least_by(all, [&](const Counts& counts) {
                return static_cast<double>(counts.rounds) +
                       phase * static_cast<double>(counts.phases) +
                       byte / block * static_cast<double>(counts.volume);
            })];
    return wins;
}

Picks ends(std::span<const Counts> all) {
    return {
        least_by(all, [](const Counts& c) { return c; }),
        least_by(all, [](const Counts& c) { return std::tuple(c.volume, c.phases, c.rounds); }),
        least_by(all, [](const Counts& c) { return std::tuple(c.phases, c.rounds, c.volume); })};
}

void sort_by_counts(std::span<const Counts> all, Picks& numbers) {
    std::sort(numbers.begin(), numbers.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(all[a], a) < std::tie(all[b], b);
    });
}

}  // namespace

bool Counts::better_than(const Counts& other) const {
    return rounds <= other.rounds && phases <= other.phases && volume <= other.volume &&
           *this != other;
}

std::vector<std::size_t> undominated(std::span<const Counts> all) {
    auto numbers = all_of(all);
    sort_by_counts(all, numbers);
    Picks kept;
    for (const auto number : numbers)
        if (std::none_of(kept.begin(), kept.end(), [&](std::size_t before) {
                return all[before] == all[number] || all[before].better_than(all[number]);
            }))
            kept.push_back(number);
    return kept;
}

std::vector<std::size_t> worth_keeping(std::span<const Counts> all, double block,
                                       std::size_t most) {
    if (all.empty()) return {};
    const auto won = wins(all, block > 0 ? block : 1);
    auto numbers = all_of(all);
    std::erase_if(numbers, [&](std::size_t number) { return won[number] == 0; });
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](std::size_t a, std::size_t b) { return won[a] > won[b]; });
    Picks kept;
    for (const auto& some : {ends(all), numbers})
        for (const auto number : some)
            if (kept.size() < most && std::find(kept.begin(), kept.end(), number) == kept.end())
                kept.push_back(number);
    sort_by_counts(all, kept);
    return kept;
}

}  // namespace carpool::routing
