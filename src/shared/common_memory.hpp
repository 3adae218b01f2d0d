#pragma once

#include <cstddef>
#include <memory>

namespace carpool::shared {

/// Memory that several processes write to, zero at first. One makes it and the others open it; it
/// lasts as long as one of them has it.
class CommonMemory {
public:
    /// Null where there is none to be had.
    static std::unique_ptr<CommonMemory> create(std::size_t bytes);

    /// That which another process has made, and not yet closed. Null where it cannot be had.
    static std::unique_ptr<CommonMemory> open(long process, int descriptor);

    CommonMemory(const CommonMemory&) = delete;
    CommonMemory& operator=(const CommonMemory&) = delete;
    ~CommonMemory();

    std::byte* start() const { return start_; }
    std::size_t size() const { return size_; }

    /// Of who has made it, until it closes it: nobody opens it from then on. Else -1.
    int descriptor() const { return descriptor_; }
    void close();

private:
    CommonMemory(std::byte* start, std::size_t size, int descriptor);

    std::byte* start_;
    std::size_t size_;
    int descriptor_;
};

}  // namespace carpool::shared
