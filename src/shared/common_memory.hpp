// SPDX-License-Identifier: MIT
#pragma once

#include "shared/memory_file.hpp"

#include <cstddef>
#include <memory>

namespace carpool::shared {

/// Memory that several processes write to. It is zero at first. One process makes it and the others
/// open it; it lasts until the last of them unmaps it.
class CommonMemory {
public:
    /// Null if the system has no such memory left.
    static std::unique_ptr<CommonMemory> create(std::size_t bytes);

    /// Opens the memory of that size which another process has made and has not closed yet; null if
    /// that fails.
    static std::unique_ptr<CommonMemory> open(long process, int descriptor, std::size_t bytes);

    CommonMemory(const CommonMemory&) = delete;
    CommonMemory& operator=(const CommonMemory&) = delete;
    ~CommonMemory();

    std::byte* start() const { return file_.start; }

    /// In the process that has made the memory, its descriptor until close(), after which no other
    /// process can open the memory; otherwise -1.
    int descriptor() const { return file_.descriptor; }
    void close();

private:
    explicit CommonMemory(const MemoryFile& file) : file_(file) {}

    MemoryFile file_;
};

}  // namespace carpool::shared
