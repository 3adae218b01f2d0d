#pragma once

#include <cstdio>
#include <string>

namespace carpool::tests {

/// What this rank is doing, for the report of a hang: read by a signal, so a plain array.
inline char whereabouts[400] = "start";

/// Says what comes next inside a test case.
inline void doing(const std::string& what) {
    std::snprintf(whereabouts, sizeof whereabouts, "%s", what.c_str());
}

}  // namespace carpool::tests
