// SPDX-License-Identifier: MIT
#include "device/device.hpp"

#include "device/copy_kernel_ptx.generated.hpp"
#include "device/failure.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace carpool::device {
namespace {

// Attributes of pointers, in CUDA and in HIP.
constexpr int attribute_context = 1;
constexpr int attribute_memory_type = 2;
constexpr int attribute_is_managed = 8;
constexpr int attribute_ordinal = 9;

/// Ranges of addresses in which this thread has found memory of the host before a driver was
/// loaded. They save a look at the loaded libraries, which takes as long as reading a block. They
/// are kept after a driver has been loaded: it is assumed to map memory of the GPU neither into
/// such a range nor where memory of the host has been.
class HostRanges {
public:
    /// Whether the address lies in one of them.
    static bool contain(std::uintptr_t address) { return place_of(address) == number_of(address); }
    static void add(std::uintptr_t address) { place_of(address) = number_of(address); }

private:
    static constexpr std::size_t count = 64;
    static constexpr int bits = 16;  // of a range's length

    static std::uintptr_t number_of(std::uintptr_t address) { return (address >> bits) + 1; }
    static std::uintptr_t& place_of(std::uintptr_t address) {
        return ranges_[number_of(address) % count];
    }

    static inline thread_local constinit std::array<std::uintptr_t, count> ranges_ = {};
};

bool is_on_device(const Driver& driver, Driver::Pointer address) {
    unsigned type = 0;
    unsigned managed = 0;  // a bool of one byte in CUDA
    const auto ask = driver.pointer_attribute;
    return ask(&type, attribute_memory_type, address) == 0 && type == driver.memory_types.device &&
           (ask(&managed, attribute_is_managed, address) != 0 || managed == 0);
}

std::string text_of(const char* function, int result) {
    return std::string(function) + " of the GPU's driver has returned " + std::to_string(result);
}

PinnedPool::Source source_of(Device& device) {
    constexpr unsigned portable_and_mapped = 3;
    return {[&device](std::size_t bytes) {
                const Device::Current current(device);
                void* memory = nullptr;
                const auto result =
                    device.driver().allocate_pinned(&memory, bytes, portable_and_mapped);
                return result == 0 ? memory : nullptr;
            },
            [&device](void* memory) {
                try {
                    const Device::Current current(device);
                    static_cast<void>(device.driver().free_pinned(memory));
                } catch (const Failure&) {  // the driver has ended before the program
                }
            }};
}

}  // namespace

Device::Device(const Driver& driver, void* context, int ordinal)
    : driver_(driver), context_(context), ordinal_(ordinal), pool_(source_of(*this)) {}

Device* Device::of(const void* memory) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    if (HostRanges::contain(address)) return nullptr;
    const auto* const driver = Driver::loaded();
    if (driver == nullptr) {
        HostRanges::add(address);
        return nullptr;
    }
    return is_on_device(*driver, address) ? find(*driver, address) : nullptr;
}

/// Memory of a pool has no context of its own; then that of all libraries is taken, which the
/// program has made for its pool.
Device* Device::find(const Driver& driver, Driver::Pointer address) {
    int ordinal = 0;
    static_cast<void>(driver.pointer_attribute(&ordinal, attribute_ordinal, address));
    if (driver.set_device != nullptr) return with(driver, nullptr, ordinal);
    void* context = nullptr;
    if (driver.pointer_attribute(&context, attribute_context, address) == 0 && context != nullptr)
        return with(driver, context, ordinal);
    int number = 0;
    if (driver.device_of_ordinal == nullptr || driver.device_of_ordinal(&number, ordinal) != 0 ||
        driver.retain_primary_context == nullptr ||
        driver.retain_primary_context(&context, number) != 0)
        throw Failure("the GPU's driver has no context for it");
    return with(driver, context, ordinal);
}

/// They are never destroyed: memory may be given back when the process ends.
Device* Device::with(const Driver& driver, void* context, int ordinal) {
    static std::mutex mutex;
    static auto& all = *new std::vector<std::unique_ptr<Device>>();
    const bool enters =
        (driver.push_context && driver.pop_context) || (driver.get_device && driver.set_device);
    if (!enters || !driver.allocate_pinned || !driver.free_pinned || !driver.copy_2d ||
        !driver.create_event || !driver.record_event || !driver.query_event ||
        !driver.destroy_event)
        throw Failure(std::string(driver.library) + " lacks functions that Carpool needs");
    const std::lock_guard lock(mutex);
    for (const auto& device : all)
        if (device->context_ == context && device->ordinal_ == ordinal) return device.get();
    return all.emplace_back(new Device(driver, context, ordinal)).get();
}

void Device::check(int result, const char* function) const {
    if (result != 0) throw Failure(text_of(function, result));
}

PinnedBuffer Device::pinned(std::size_t bytes) {
    drop_ended();
    return pool_.take(bytes);
}

void Device::keep(std::unique_ptr<PendingWork> pending) {
    drop_ended();
    const std::lock_guard lock(mutex_);
    pending_.push_back(std::move(pending));
}

void Device::drop_ended() {
    std::vector<std::unique_ptr<PendingWork>> ended;  // destroyed outside the lock
    const std::lock_guard lock(mutex_);
    for (auto& one : pending_)
        if (one->ended()) ended.push_back(std::move(one));
    std::erase(pending_, nullptr);
}

/// A driver may refuse the kernel, as one that is older than its language; then it is not asked
/// again.
void* Device::kernel() {
    const std::lock_guard lock(mutex_);
    if (std::exchange(kernel_sought_, true) || !driver_.has_kernel()) return kernel_;
    const Current current(*this);
    void* module = nullptr;
    if (driver_.load_module(&module, copy_kernel_ptx) == 0 &&
        driver_.function_of(&kernel_, module, "carpool_copy") != 0)
        kernel_ = nullptr;
    return kernel_;
}

Device::Current::Current(const Device& device) : device_(device) {
    const auto& driver = device.driver_;
    if (driver.push_context != nullptr) {
        device.check(driver.push_context(device.context_), "cuCtxPushCurrent");
        return;
    }
    device.check(driver.get_device(&ordinal_before_), "hipGetDevice");
    device.check(driver.set_device(device.ordinal_), "hipSetDevice");
}

Device::Current::~Current() {
    const auto& driver = device_.driver_;
    void* popped = nullptr;
    if (driver.pop_context != nullptr)
        static_cast<void>(driver.pop_context(&popped));
    else
        static_cast<void>(driver.set_device(ordinal_before_));
}

}  // namespace carpool::device
