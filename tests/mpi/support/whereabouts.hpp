// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>

namespace carpool::tests {

/// What this rank is doing, for the report of a hang. A signal handler reads it, so it is a plain
/// array.
inline char whereabouts[400] = "start";

/// Notes what a test case does next.
inline void doing(const std::string& what) {
    std::snprintf(whereabouts, sizeof whereabouts, "%s", what.c_str());
}

}  // namespace carpool::tests
