// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace bench {

/// The first GPU of this machine, by CUDA's driver, which is loaded when the program runs. Calls
/// throw if the driver refuses them.
class Gpu {
public:
    using Address = std::uintptr_t;
    using Stream = void*;

    Gpu() : driver_(dlopen("libcuda.so.1", RTLD_NOW)) {
        if (driver_ == nullptr) throw std::runtime_error("there is no libcuda.so.1 here");
        call<int(unsigned)>("cuInit", 0u);
        int device = 0;
        call<int(int*, int)>("cuDeviceGet", &device, 0);
        char name[256] = "";
        call<int(char*, int, int)>("cuDeviceGetName", name, int(sizeof name), device);
        name_ = name;
        call<int(int*)>("cuDriverGetVersion", &version_);
        void* context = nullptr;
        call<int(void**, int)>("cuDevicePrimaryCtxRetain", &context, device);
        call<int(void*)>("cuCtxSetCurrent", context);
        find("cuMemcpy3DAsync_v2", copy_3d_);
        find("cuStreamSynchronize", synchronize_);
        find("cuMemcpyHtoDAsync_v2", upload_);
        find("cuMemcpyDtoHAsync_v2", download_);
    }

    const std::string& name() const { return name_; }
    int version() const { return version_; }

    Address allocate(std::size_t bytes) const {
        Address memory = 0;
        call<int(Address*, std::size_t)>("cuMemAlloc_v2", &memory, bytes);
        return memory;
    }
    void free(Address memory) const { call<int(Address)>("cuMemFree_v2", memory); }

    void* allocate_pinned(std::size_t bytes) const {
        void* memory = nullptr;
        call<int(void**, std::size_t, unsigned)>("cuMemHostAlloc", &memory, bytes, 0u);
        return memory;
    }
    void free_pinned(void* memory) const { call<int(void*)>("cuMemFreeHost", memory); }

    void upload(Address to, const void* from, std::size_t bytes) const {
        check(upload_(to, from, bytes, nullptr), "cuMemcpyHtoDAsync");
    }
    void download(void* to, Address from, std::size_t bytes) const {
        check(download_(to, from, bytes, nullptr), "cuMemcpyDtoHAsync");
    }

    /// One side of a copy in three dimensions, as CUDA_MEMCPY3D has it.
    struct Side {
        std::size_t x_in_bytes = 0, y = 0, z = 0, lod = 0;
        unsigned memory_type = 0;
        void* host = nullptr;
        Address device = 0;
        void* array = nullptr;
        void* reserved = nullptr;
        std::size_t pitch = 0, height = 0;
    };
    static constexpr unsigned on_host = 1, on_device = 2;

    struct Copy3D {
        Side from, to;
        std::size_t width_in_bytes = 0, height = 0, depth = 0;
    };
    void copy(const Copy3D& copy) const { check(copy_3d_(&copy, nullptr), "cuMemcpy3DAsync"); }

    /// Waits for all that was put on the legacy default stream.
    void synchronize() const { check(synchronize_(nullptr), "cuStreamSynchronize"); }

private:
    static void check(int result, const char* function) {
        if (result != 0)
            throw std::runtime_error(std::string(function) + " has returned " +
                                     std::to_string(result));
    }

    template <typename Function>
    void find(const char* name, Function*& function) const {
        function = reinterpret_cast<Function*>(dlsym(driver_, name));
        if (function == nullptr) throw std::runtime_error(std::string(name) + " is missing");
    }

    template <typename Function, typename... Arguments>
    void call(const char* name, Arguments... arguments) const {
        Function* function = nullptr;
        find(name, function);
        check(function(arguments...), name);
    }

    void* driver_;
    std::string name_;
    int version_ = 0;
    int (*copy_3d_)(const Copy3D*, Stream) = nullptr;
    int (*synchronize_)(Stream) = nullptr;
    int (*upload_)(Address, const void*, std::size_t, Stream) = nullptr;
    int (*download_)(void*, Address, std::size_t, Stream) = nullptr;
};

/// Memory that is freed with its owner.
class GpuMemory {
public:
    GpuMemory(const Gpu& gpu, std::size_t bytes)
        : gpu_(gpu), address_(gpu.allocate(bytes)), bytes_(bytes) {}
    GpuMemory(const GpuMemory&) = delete;
    GpuMemory& operator=(const GpuMemory&) = delete;
    ~GpuMemory() { gpu_.free(address_); }

    Gpu::Address address() const { return address_; }
    void* pointer() const { return reinterpret_cast<void*>(address_); }
    std::size_t bytes() const { return bytes_; }

private:
    const Gpu& gpu_;
    Gpu::Address address_;
    std::size_t bytes_;
};

class PinnedMemory {
public:
    PinnedMemory(const Gpu& gpu, std::size_t bytes)
        : gpu_(gpu), memory_(gpu.allocate_pinned(bytes)) {}
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    ~PinnedMemory() { gpu_.free_pinned(memory_); }

    std::byte* get() const { return static_cast<std::byte*>(memory_); }

private:
    const Gpu& gpu_;
    void* memory_;
};

}  // namespace bench
