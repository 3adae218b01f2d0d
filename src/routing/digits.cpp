// SPDX-License-Identifier: MIT
#include "routing/digits.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace carpool::routing {
namespace {

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

std::vector<int> Digits::of(int ranks) const {
    return factors.empty() ? near_equal_factors(ranks, count) : factors;
}

std::vector<Digit> digits_of(std::span<const int> factors) {
    std::vector<Digit> digits;
    std::int64_t weight = 1;
    for (std::size_t k = 0; k < factors.size(); ++k) {
        const auto end = span_of(factors.first(k + 1));
        digits.push_back({weight, end, factors[k]});
        weight = end;
    }
    return digits;
}

bool Digits::suffice(int ranks) const { return span_of(of(ranks)) >= ranks; }

std::vector<int> near_equal_factors(int ranks, int digits) {
    constexpr int most = 32;  // more than the bits of numbers below 2^31
    digits = std::min(digits, most);
    while (digits > 1 && std::int64_t{1} << (digits - 1) >= ranks) --digits;
    const int base = side_of(ranks, digits);
    std::vector<int> factors(static_cast<std::size_t>(digits), base);
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) {
        --*factor;
        if (span_of(factors) >= ranks) continue;
        ++*factor;
        break;
    }
    return factors;
}

std::vector<int> node_factors(int ranks, int node, int digits) {
    auto factors = near_equal_factors(ranks / node, digits);
    factors.insert(factors.begin(), node);
    return factors;
}

std::int64_t span_of(std::span<const int> factors) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    std::int64_t span = 1;
    for (const int factor : factors) span = std::min(most, span * factor);
    return span;
}

int side_of(int ranks, int power) {
    int side = 1;
    while (span_of(std::vector<int>(static_cast<std::size_t>(power), side)) < ranks) ++side;
    return side;
}

int node_of(std::span<const int> factors, const topology::Nodes* nodes) {
    if (nodes == nullptr || nodes->in_a_row() != factors.front()) return 1;
    return factors.front();
}

double mean_hops(std::span<const int> factors) {
    double hops = 0;
    for (const int factor : factors) hops += 1 - 1.0 / factor;
    return hops;
}

std::optional<Digits> digits_from_text(std::string_view text) {
    Digits digits;
    for (std::size_t begin = 0, end = 0; end < text.size(); begin = end + 1) {
        end = std::min(text.find('x', begin), text.size());
        const auto factor = number(text.substr(begin, end - begin));
        if (!factor || *factor < 1) return std::nullopt;
        digits.factors.push_back(*factor);
    }
    if (digits.factors.empty() || text.ends_with('x')) return std::nullopt;
    if (digits.factors.size() == 1) digits.count = std::exchange(digits.factors, {}).front();
    const bool splits = std::all_of(digits.factors.begin(), digits.factors.end(),
                                    [](int factor) { return factor > 1; });
    return splits ? std::optional(digits) : std::nullopt;
}

std::string text_of(const Digits& digits) {
    if (digits.factors.empty()) return std::to_string(digits.count);
    std::string text;
    for (const int factor : digits.factors) {
        if (!text.empty()) text += 'x';
        text += std::to_string(factor);
    }
    return text;
}

std::vector<std::int64_t> numbers_of(const Digits& digits) {
    std::vector<std::int64_t> numbers{digits.count};
    numbers.insert(numbers.end(), digits.factors.begin(), digits.factors.end());
    return numbers;
}

}  // namespace carpool::routing
