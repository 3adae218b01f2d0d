#include "engine/activity.hpp"

#include <cstdio>

/// Prints who waits for whom, for a debugger: `call Carpool_who_waits()`.
extern "C" __attribute__((visibility("default"))) void Carpool_who_waits() {
    std::fputs(carpool::engine::Activity::who_waits().c_str(), stderr);
}
