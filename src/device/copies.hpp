// SPDX-License-Identifier: MIT
#pragma once

#include "device/device.hpp"
#include "device/pinned_pool.hpp"
#include "device/strip.hpp"

#include <cstdint>
#include <vector>

namespace carpool::device {

/// Copies between a device and pinned memory that are started together, in one launch: packing or
/// unpacking. A start allocates nothing.
class Copies {
public:
    enum class Direction { from_device, to_device };

    Copies(Device& device, Direction direction) : device_(device), direction_(direction) {}
    Copies(const Copies&) = delete;
    Copies& operator=(const Copies&) = delete;
    ~Copies();

    /// Replaces what is copied. @pre ended()
    void become(std::vector<Strip> strips);

    bool empty() const { return strips_.empty(); }

    /// Starts all copies behind what the stream has to do. Throws Failure. @pre ended()
    void start(Stream stream);

    /// Whether the last start has ended; true if there was none. What has been copied from the
    /// device can then be read.
    bool ended();

private:
    void refuse_capture(Stream stream) const;
    void launch(void* kernel, Stream stream);
    void copy_one_by_one(Stream stream);
    void copy(const Strip& strip, Stream stream) const;

    Device& device_;
    Direction direction_;
    std::vector<Strip> strips_;
    bool under_way_ = false;

    // with the kernel
    PinnedBuffer tiles_;
    unsigned count_ = 0;   // tiles
    unsigned blocks_ = 0;  // of threads
    PinnedBuffer words_;   // per block of threads, the number of its last start
    unsigned number_ = 0;  // of the start
    unsigned seen_ = 0;    // so many blocks have ended

    void* event_ = nullptr;  // without it
};

}  // namespace carpool::device
