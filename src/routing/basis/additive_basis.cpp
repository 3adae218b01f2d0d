// SPDX-License-Identifier: MIT
#include "routing/basis/additive_basis.hpp"

#include "routing/basis/basis_choice.hpp"
#include "routing/basis/basis_search.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

namespace carpool::routing {
namespace {

constexpr std::int64_t most_nodes = 1 << 14;
constexpr std::int64_t most_nodes_beyond = 1 << 11;
constexpr std::size_t most_steps_searched = 10;

/// The steps of a value, one bit for each: its powers of two or, if it is not positive, the step
/// back and the powers of two from there.
std::uint32_t digits(std::int64_t value, std::int64_t back, std::size_t powers) {
    if (value > 0) return static_cast<std::uint32_t>(value);
    return static_cast<std::uint32_t>(value + back) | std::uint32_t{1} << powers;
}

std::int64_t steps_of(std::span<const Value> values, const std::vector<std::uint32_t>& used) {
    std::int64_t volume = 0;
    for (std::size_t i = 0; i < used.size(); ++i)
        volume += values[i].blocks * std::popcount(used[i]);
    return volume;
}

/// Offers powers of two towards the last value, and one step back to the first; or, with sign -1,
/// powers of two towards the first value and one step back to the last.
void offer_powers_of_two(std::span<const Value> values, int sign, BasisChoice& choice) {
    const auto first = std::int64_t{sign} * values[sign > 0 ? 0 : values.size() - 1].value;
    const auto last = std::int64_t{sign} * values[sign > 0 ? values.size() - 1 : 0].value;
    const auto back = std::max<std::int64_t>(-first, 0);
    const auto reach = static_cast<std::uint64_t>(std::max<std::int64_t>({last, back - 1, 0}));
    const auto powers = static_cast<std::size_t>(std::bit_width(reach));
    if (powers > 31 || back > std::numeric_limits<int>::max()) return;
    Basis basis;
    for (std::size_t p = 0; p < powers; ++p) basis.steps.push_back(sign * (1 << p));
    if (back > 0) basis.steps.push_back(-sign * static_cast<int>(back));
    for (const auto& v : values)
        basis.used.push_back(digits(sign * std::int64_t{v.value}, back, powers));
    basis.volume = steps_of(values, basis.used);
    choice.offer(std::move(basis));
}

std::vector<std::vector<Step>> one_step_each(std::span<const Value> values) {
    std::vector<std::vector<Step>> steps;
    for (const auto& v : values) steps.push_back({{0, v.value}});
    return steps;
}

std::vector<std::vector<Step>> steps_by_level(const Basis& basis) {
    std::vector<std::vector<Step>> result;
    for (const auto used : basis.used) {
        auto& steps = result.emplace_back();
        for (std::size_t level = 0; level < basis.steps.size(); ++level)
            if ((used >> level & 1) != 0)
                steps.push_back({static_cast<int>(level), basis.steps[level]});
    }
    return result;
}

/// A basis with `spare` more steps, if it has less volume; otherwise the given basis.
Basis with_spare(std::span<const Value> values, Signs signs, Pattern pattern, Basis basis,
                 std::size_t spare) {
    const auto size = basis.steps.size() + spare;
    if (spare == 0 || size >= values.size() || size > most_steps_searched) return basis;
    BasisChoice larger(values, pattern);
    BasisSearch(values, signs, most_nodes_beyond).run(size, larger);
    return larger.empty() || larger.best().volume >= basis.volume ? basis : larger.best();
}

/// The steps of all values from one common basis. A basis with as many steps as there are values is
/// no gain over one step per value, which has the least volume.
std::vector<std::vector<Step>> searched(std::span<const Value> values, Signs signs, Pattern pattern,
                                        std::size_t spare) {
    BasisChoice choice(values, pattern);
    offer_powers_of_two(values, 1, choice);
    offer_powers_of_two(values, -1, choice);
    BasisSearch search(values, signs, most_nodes);
    const auto least = static_cast<std::size_t>(std::bit_width(values.size()));
    const auto size = [&] {
        return std::min(choice.empty() ? values.size() : choice.best().steps.size(), values.size());
    };
    for (auto n = least; n <= size() && n <= most_steps_searched && n < values.size(); ++n)
        search.run(n, choice);
    if (size() == values.size()) return one_step_each(values);
    return steps_by_level(with_spare(values, signs, pattern, choice.best(), spare));
}

/// Searches a basis for each sign; the levels of the two run side by side.
std::vector<std::vector<Step>> searched_apart(std::span<const Value> values, Pattern pattern,
                                              std::size_t spare) {
    const auto positive =
        std::find_if(values.begin(), values.end(), [](const Value& v) { return v.value > 0; });
    const auto negatives = static_cast<std::size_t>(positive - values.begin());
    std::vector<Value> mirrored;
    for (std::size_t i = negatives; i-- > 0;)
        mirrored.push_back({-values[i].value, values[i].blocks});
    std::vector<std::vector<Step>> result;
    if (!mirrored.empty()) result = searched(mirrored, Signs::own, pattern, spare);
    for (auto& steps : result)
        for (auto& step : steps) step.hop = -step.hop;
    std::reverse(result.begin(), result.end());
    if (positive == values.end()) return result;
    for (auto& steps : searched(values.subspan(negatives), Signs::own, pattern, spare))
        result.push_back(std::move(steps));
    return result;
}

}  // namespace

std::vector<std::vector<Step>> smallest_basis(std::span<const Value> values, Signs signs,
                                              Pattern pattern, std::size_t spare) {
    if (values.empty()) return {};
    const bool mirrors = values.front().value > std::numeric_limits<int>::min();
    if (!mirrors) return one_step_each(values);
    return signs == Signs::own ? searched_apart(values, pattern, spare)
                               : searched(values, Signs::mixed, pattern, spare);
}

}  // namespace carpool::routing
