// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"
#include "device/driver.hpp"
#include "device/pinned_pool.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace carpool::device {

/// Work of a GPU that nobody waits for any more, with the memory that it still uses.
class PendingWork {
public:
    virtual ~PendingWork() = default;
    virtual bool ended() = 0;
};

/// A GPU, in one context of its driver. Devices live until the process ends.
class Device {
public:
    /// The device on which the address lies; null for memory that the host can read, managed
    /// memory among it. Memory of a GPU may be missed at addresses where this thread has seen
    /// memory of the host before a driver was loaded.
    /// Throws Failure if the driver lacks what Carpool needs.
    static Device* of(const void* address);

    /// Memory of the host that the device reads and writes. Throws std::bad_alloc.
    PinnedBuffer pinned(std::size_t bytes);

    /// Keeps work until it has ended.
    void keep(std::unique_ptr<PendingWork> pending);

    const Driver& driver() const { return driver_; }

    /// The kernel that copies tiles; null if the driver has none.
    void* kernel();

    /// Makes the device that of the calling thread as long as it lives.
    class Current {
    public:
        explicit Current(const Device& device);
        Current(const Current&) = delete;
        Current& operator=(const Current&) = delete;
        ~Current();

    private:
        const Device& device_;
        int ordinal_before_ = 0;  // HIP
    };

    /// Throws Failure unless the result is 0.
    void check(int result, const char* function) const;

private:
    Device(const Driver& driver, void* context, int ordinal);

    static Device* with(const Driver& driver, void* context, int ordinal);
    static Device* find(const Driver& driver, Driver::Pointer address);
    void drop_ended();

    const Driver& driver_;
    void* context_;  // CUDA
    int ordinal_;
    PinnedPool pool_;
    base::Mutex mutex_;
    std::vector<std::unique_ptr<PendingWork>> pending_;
    void* kernel_ = nullptr;
    bool kernel_sought_ = false;
};

}  // namespace carpool::device
