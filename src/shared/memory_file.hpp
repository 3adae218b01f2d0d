// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace carpool::shared {

/// A file without a name, which several processes may map, as this process has mapped it. Nothing
/// is left behind when all of them have ended.
struct MemoryFile {
    std::byte* start = nullptr;  ///< where it is mapped; null if that failed
    std::size_t size = 0;
    int descriptor = -1;  ///< in the process that has made it, else -1
};

/// Makes a file of zeros, without pages yet. Child processes do not inherit it.
MemoryFile make_memory_file(std::size_t bytes);

/// Allocates pages for those bytes. Returns false if there are none left: touching the bytes would
/// then end the process.
bool take_pages(int descriptor, std::size_t begin, std::size_t end);

/// Maps the whole file that a process of the same user has made and holds open.
MemoryFile open_memory_file(long process, int descriptor, bool to_write);

}  // namespace carpool::shared
