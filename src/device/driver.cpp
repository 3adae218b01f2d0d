// SPDX-License-Identifier: MIT
#include "device/driver.hpp"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <mutex>

namespace carpool::device {
namespace {

/// The name of each function in a library; null if it has none.
struct Names {
    const char* library;
    Driver::MemoryTypes memory_types;
    const char* pointer_attribute;
    const char* push_context;
    const char* pop_context;
    const char* device_of_ordinal;
    const char* retain_primary_context;
    const char* get_device;
    const char* set_device;
    const char* allocate_pinned;
    const char* free_pinned;
    const char* copy_2d;
    const char* create_event;
    const char* record_event;
    const char* query_event;
    const char* destroy_event;
    const char* is_capturing;
    const char* load_module;
    const char* function_of;
    const char* launch;
};

constexpr Names cuda = {.library = "libcuda.so.1",
                        .memory_types = {.host = 1, .device = 2},
                        .pointer_attribute = "cuPointerGetAttribute",
                        .push_context = "cuCtxPushCurrent_v2",
                        .pop_context = "cuCtxPopCurrent_v2",
                        .device_of_ordinal = "cuDeviceGet",
                        .retain_primary_context = "cuDevicePrimaryCtxRetain",
                        .get_device = nullptr,
                        .set_device = nullptr,
                        .allocate_pinned = "cuMemHostAlloc",
                        .free_pinned = "cuMemFreeHost",
                        .copy_2d = "cuMemcpy2DAsync_v2",
                        .create_event = "cuEventCreate",
                        .record_event = "cuEventRecord",
                        .query_event = "cuEventQuery",
                        .destroy_event = "cuEventDestroy_v2",
                        .is_capturing = "cuStreamIsCapturing",
                        .load_module = "cuModuleLoadData",
                        .function_of = "cuModuleGetFunction",
                        .launch = "cuLaunchKernel"};

/// HIP's enumerators of memory types have other numbers since its version 6.
constexpr Names hip(const char* library, Driver::MemoryTypes types) {
    return {.library = library,
            .memory_types = types,
            .pointer_attribute = "hipPointerGetAttribute",
            .push_context = nullptr,
            .pop_context = nullptr,
            .device_of_ordinal = nullptr,
            .retain_primary_context = nullptr,
            .get_device = "hipGetDevice",
            .set_device = "hipSetDevice",
            .allocate_pinned = "hipHostMalloc",
            .free_pinned = "hipHostFree",
            .copy_2d = "hipMemcpyParam2DAsync",
            .create_event = "hipEventCreateWithFlags",
            .record_event = "hipEventRecord",
            .query_event = "hipEventQuery",
            .destroy_event = "hipEventDestroy",
            .is_capturing = "hipStreamIsCapturing",
            .load_module = nullptr,
            .function_of = nullptr,
            .launch = nullptr};
}

constexpr Names all_names[] = {cuda, hip("libamdhip64.so.7", {.host = 1, .device = 2}),
                               hip("libamdhip64.so.6", {.host = 1, .device = 2}),
                               hip("libamdhip64.so.5", {.host = 0, .device = 1})};

template <typename Function>
void find(void* library, const char* name, Function*& function) {
    if (name != nullptr) function = reinterpret_cast<Function*>(dlsym(library, name));
}

Driver driver_in(void* library, const Names& names) {
    Driver driver;
    driver.library = names.library;
    driver.memory_types = names.memory_types;
    find(library, names.pointer_attribute, driver.pointer_attribute);
    find(library, names.push_context, driver.push_context);
    find(library, names.pop_context, driver.pop_context);
    find(library, names.device_of_ordinal, driver.device_of_ordinal);
    find(library, names.retain_primary_context, driver.retain_primary_context);
    find(library, names.get_device, driver.get_device);
    find(library, names.set_device, driver.set_device);
    find(library, names.allocate_pinned, driver.allocate_pinned);
    find(library, names.free_pinned, driver.free_pinned);
    find(library, names.copy_2d, driver.copy_2d);
    find(library, names.create_event, driver.create_event);
    find(library, names.record_event, driver.record_event);
    find(library, names.query_event, driver.query_event);
    find(library, names.destroy_event, driver.destroy_event);
    find(library, names.is_capturing, driver.is_capturing);
    find(library, names.load_module, driver.load_module);
    find(library, names.function_of, driver.function_of);
    find(library, names.launch, driver.launch);
    return driver;
}

/// The number of libraries that this process has loaded so far.
unsigned long long libraries_loaded() {
    unsigned long long loaded = 0;
    const auto first = [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<unsigned long long*>(result) = info->dlpi_adds;
        return 1;
    };
    dl_iterate_phdr(first, &loaded);
    return loaded;
}

/// The first driver that is loaded; it stays loaded, since it is not closed.
const Driver* first_loaded() {
    static Driver found;
    for (const auto& names : all_names) {
        void* const library = dlopen(names.library, RTLD_LAZY | RTLD_NOLOAD);
        if (library == nullptr) continue;
        found = driver_in(library, names);
        if (found.pointer_attribute != nullptr) return &found;
    }
    return nullptr;
}

}  // namespace

/// Looking for a driver searches all library directories (20 us for each), so it is only repeated
/// after another library has been loaded.
const Driver* Driver::loaded() {
    static std::atomic<unsigned long long> looked_among = 0;
    static std::mutex looking;
    if (const auto* const found = known()) return found;
    const auto loaded = libraries_loaded();
    if (looked_among == loaded) return nullptr;
    const std::lock_guard lock(looking);
    if (known_ == nullptr) known_ = first_loaded();
    if (known_ == nullptr) looked_among = loaded;
    return known_;
}

}  // namespace carpool::device
