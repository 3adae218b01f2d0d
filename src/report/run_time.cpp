// SPDX-License-Identifier: MIT
#include "report/run_time.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

namespace carpool::report {
namespace {

using LoadClock = std::chrono::steady_clock;
const LoadClock::time_point loaded = LoadClock::now();

#ifdef __linux__
/// The age of the process to a hundredth of a second, from /proc/self/stat: the 20th field behind
/// the name of the program, which ends with the last parenthesis. 0 if it cannot be read.
double age_of_process() {
    constexpr int fields_before = 19;
    std::ifstream in("/proc/self/stat");
    std::string text, skipped;
    std::getline(in, text);
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
    for (int i = 0; i < fields_before; ++i) fields >> skipped;
    double ticks = 0;
    timespec now = {};
    if (!(fields >> ticks) || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
           ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}
#else
double age_of_process() { return 0; }
#endif

}  // namespace

double seconds_of_run() {
    const std::chrono::duration<double> since_load = LoadClock::now() - loaded;
    return std::max(since_load.count(), age_of_process());
}

}  // namespace carpool::report
