#pragma once

#include <cstddef>

namespace carpool::shared {

/// Mapped memory; nothing where there is none.
struct Mapped {
    std::byte* start = nullptr;
    std::size_t size = 0;
};

/// A file of memory that a process of this user has open, whole; nothing where it cannot be had.
Mapped map_open_file(long process, int descriptor, bool to_write);

}  // namespace carpool::shared
