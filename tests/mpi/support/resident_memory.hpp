// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace carpool::tests {

/// Resident bytes of this process.
inline std::int64_t resident_bytes() {
    std::int64_t size = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> size >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

/// Number of open files of this process, segments of shared memory among them.
inline std::int64_t open_files() {
    namespace fs = std::filesystem;
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

/// Bytes that all processes of this machine could still allocate; 0 if the system does not report
/// it.
inline std::int64_t available_bytes() {
    std::ifstream file("/proc/meminfo");
    std::string key, unit;
    for (std::int64_t kilobytes = 0; file >> key >> kilobytes; std::getline(file, unit))
        if (key == "MemAvailable:") return kilobytes * 1024;
    return 0;
}

}  // namespace carpool::tests
