// SPDX-License-Identifier: MIT
// Texts of stencils. Those with many offsets are left out: they are no mistakes, but take long.

#include "base/expects.hpp"
#include "fuzz.hpp"
#include "refused.hpp"
#include "topology/text.hpp"
#include "topology/words.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

using namespace carpool;

namespace {

constexpr double few = 1 << 14;
constexpr double too_many = 1 << 26;  // these are refused

std::vector<int> integers_of(const std::vector<std::string>& words) {
    std::vector<int> integers;
    for (std::size_t i = 1; i < words.size(); ++i)
        if (const auto integer = topology::integer(words[i])) integers.push_back(*integer);
    return integers;
}

bool takes_long(const std::string& text) {
    const auto words = topology::words_of(text);
    const auto integers = integers_of(words);
    const auto families = topology::stencil_families();
    const auto family = std::ranges::find_if(families, [&](const auto& one) {
        return !words.empty() && (words[0] == one.name || words[0] == one.alias);
    });
    if (family == families.end() || std::ssize(integers) <= family->least_arguments) return false;
    const auto arguments = std::span(integers).subspan(1);
    const double coordinates =
        std::max(family->most_offsets(integers[0], arguments), 1.0) * integers[0];
    return coordinates > few && coordinates <= too_many;
}

}  // namespace

void fuzz::read(const std::string& input) {
    if (takes_long(input)) return;
    refuse_or([&] {
        const auto stencil = topology::stencil_from_text(input);
        const auto coordinates = std::int64_t{stencil.size()} * stencil.dimensions();
        CARPOOL_EXPECTS(coordinates == std::ssize(stencil.flat()), coordinates);
    });
}
