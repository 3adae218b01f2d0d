// SPDX-License-Identifier: MIT
#include "choose/overload.hpp"

#include <algorithm>

namespace carpool::choose {

std::int64_t weight(const Load& load) { return load.bytes() > 0 ? load.bytes() : load.blocks(); }

bool overloaded(const Load& load, const Traffic& of_all, int ranks, const Load& direct) {
    constexpr double much = 2;
    const auto sum = load.bytes() > 0 ? of_all.bytes : of_all.blocks;
    const auto least = std::max(static_cast<double>(weight(direct)),
                                static_cast<double>(sum) / static_cast<double>(ranks));
    return static_cast<double>(weight(load)) > much * least;
}

bool clearly_less(const Load& load, const Load& than) {
    constexpr double clearly = 0.9;
    return static_cast<double>(weight(load)) <= clearly * static_cast<double>(weight(than));
}

}  // namespace carpool::choose
