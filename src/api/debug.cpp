// SPDX-License-Identifier: MIT
#include "engine/activity.hpp"

#include <cstdio>

/// Prints which ranks each activity of this process waits for. A debugger can call it: `call
/// Carpool_who_waits()`.
extern "C" __attribute__((visibility("default"))) void Carpool_who_waits() {
    std::fputs(carpool::engine::Activity::who_waits().c_str(), stderr);
}
