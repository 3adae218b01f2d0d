// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <string>

namespace carpool::tests {

/// What this rank is doing, for the report of a hang. A signal handler reads it, so it is a plain
/// array.
inline char current_step[400] = "start";

/// Notes what a test case does next.
inline void note_step(const std::string& what) {
    std::snprintf(current_step, sizeof current_step, "%s", what.c_str());
}

}  // namespace carpool::tests
