#pragma once

#include "shared/memory_file.hpp"

#include <cstddef>
#include <memory>

namespace carpool::shared {

/// Memory that several processes write to, zero at first. One makes it and the others open it; it
/// lasts as long as one of them has it.
class CommonMemory {
public:
    /// Null where there is none to be had.
    static std::unique_ptr<CommonMemory> create(std::size_t bytes);

    /// That which another process has made of so many, and not yet closed; else null.
    static std::unique_ptr<CommonMemory> open(long process, int descriptor, std::size_t bytes);

    CommonMemory(const CommonMemory&) = delete;
    CommonMemory& operator=(const CommonMemory&) = delete;
    ~CommonMemory();

    std::byte* start() const { return file_.start; }

    /// Of who has made it, until it closes it: nobody opens it from then on. Else -1.
    int descriptor() const { return file_.descriptor; }
    void close();

private:
    explicit CommonMemory(const MemoryFile& file) : file_(file) {}

    MemoryFile file_;
};

}  // namespace carpool::shared
