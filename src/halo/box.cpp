// SPDX-License-Identifier: MIT
#include "halo/box.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

namespace carpool::halo {
namespace {

/// Compares position and size in all dimensions but `last`, then the position in `last`.
bool before(const Box& a, const Box& b, std::size_t last) {
    for (std::size_t k = 0; k < a.first.size(); ++k) {
        if (k == last) continue;
        const std::pair here(a.first[k], a.size[k]);
        const std::pair there(b.first[k], b.size[k]);
        if (here != there) return here < there;
    }
    return a.first[last] < b.first[last];
}

bool touch(const Box& a, const Box& b, std::size_t along) {
    for (std::size_t k = 0; k < a.first.size(); ++k)
        if (k != along && (a.first[k] != b.first[k] || a.size[k] != b.size[k])) return false;
    return a.first[along] + a.size[along] == b.first[along];
}

std::vector<Box> merged_along(std::vector<Box> boxes, std::size_t dimension) {
    std::sort(boxes.begin(), boxes.end(),
              [dimension](const Box& a, const Box& b) { return before(a, b, dimension); });
    std::vector<Box> result;
    for (auto& box : boxes) {
        if (!result.empty() && touch(result.back(), box, dimension))
            result.back().size[dimension] += box.size[dimension];
        else
            result.push_back(std::move(box));
    }
    return result;
}

}  // namespace

Cells cells_of(const Box& box) {
    return std::accumulate(box.size.begin(), box.size.end(), Cells{1}, std::multiplies<>());
}

Cells cells_of(const std::vector<Box>& boxes) {
    Cells sum = 0;
    for (const auto& box : boxes) sum += cells_of(box);
    return sum;
}

Box moved(Box box, const std::vector<Cells>& by) {
    for (std::size_t k = 0; k < by.size(); ++k) box.first[k] += by[k];
    return box;
}

std::vector<Box> merged(std::vector<Box> boxes) {
    const std::size_t dimensions = boxes.empty() ? 0 : boxes.front().first.size();
    for (std::size_t k = 0; k < dimensions; ++k) boxes = merged_along(std::move(boxes), k);
    return boxes;
}

}  // namespace carpool::halo
