#pragma once

#include <cstddef>

namespace carpool::shared {

/// A file without a name that several processes may map, as this one has it. Nothing is left behind
/// when all have ended.
struct MemoryFile {
    std::byte* start = nullptr;  ///< of what is mapped; null where there is none to be had
    std::size_t size = 0;
    int descriptor = -1;  ///< of who has made it
};

/// Of zeros, without pages yet. A child of this process does not get it.
MemoryFile make_memory_file(std::size_t bytes);

/// Takes pages for those bytes: where there are none to be had, touching one would end the process.
bool take_pages(int descriptor, std::size_t begin, std::size_t end);

/// That which a process of this user has made, whole, and has open.
MemoryFile open_memory_file(long process, int descriptor, bool to_write);

}  // namespace carpool::shared
