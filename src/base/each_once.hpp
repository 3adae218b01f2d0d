// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

namespace carpool::base {

/// Sorts values and removes duplicates.
template <typename Value>
void keep_each_once(std::vector<Value>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace carpool::base
