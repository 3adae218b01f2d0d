// SPDX-License-Identifier: MIT
#include "base/element.hpp"

namespace carpool::base {

std::string element(const std::string& name, std::int64_t i) {
    const auto index = std::to_string(callers_index(i));
    return called_from_fortran ? name + '(' + index + ')' : name + '[' + index + ']';
}

std::string coordinate(const std::string& name, int i, int k, int d) {
    if (!called_from_fortran) return element(name, std::int64_t{i} * d + k);
    return name + '(' + std::to_string(k + 1) + ", " + std::to_string(i + 1) + ')';
}

}  // namespace carpool::base
