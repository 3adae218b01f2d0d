// SPDX-License-Identifier: MIT
#include "report/records.hpp"

#include <bit>

namespace carpool::report {

int size_class_of(std::int64_t bytes) {
    const auto below = static_cast<std::uint64_t>(std::max<std::int64_t>(1, bytes) - 1);
    return static_cast<int>(std::bit_width(below));
}

void Calls::add(const Calls& others) {
    bytes.add(others.bytes);
    ended.add(others.ended);
    open += others.open;
    open_charged += others.open_charged;
}

}  // namespace carpool::report
