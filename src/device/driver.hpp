// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace carpool::device {

/// A stream as its driver knows it; null is the legacy default stream.
using Stream = void*;

/// The functions of a GPU's driver that Carpool needs, found in a driver that the process has
/// loaded: CUDA's, or HIP's, whose functions take the same arguments. All return 0 if they succeed.
struct Driver {
    using Pointer = std::uintptr_t;

    /// The arguments of a 2-D copy, as CUDA_MEMCPY2D and hip_Memcpy2D have them.
    struct Copy2D {
        struct Side {
            std::size_t x_in_bytes = 0;
            std::size_t y = 0;
            unsigned memory_type = 0;
            void* host = nullptr;
            Pointer device = 0;
            void* array = nullptr;
            std::size_t pitch = 0;
        };
        Side from;
        Side to;
        std::size_t width = 0;
        std::size_t height = 0;
    };

    /// Numbers of enumerators.
    struct MemoryTypes {
        unsigned host;
        unsigned device;
    };

    /// The driver that this process has loaded; null as long as there is none. Once one has been
    /// found, no other is looked for.
    static const Driver* loaded();

    /// The same, as far as loaded() has found it.
    static const Driver* known() { return known_.load(std::memory_order_acquire); }

    const char* library = nullptr;
    MemoryTypes memory_types = {};

    int (*pointer_attribute)(void* value, int attribute, Pointer pointer) = nullptr;

    // CUDA: the context of a thread is pushed and popped. Null in HIP.
    int (*push_context)(void* context) = nullptr;
    int (*pop_context)(void** context) = nullptr;
    int (*device_of_ordinal)(int* device, int ordinal) = nullptr;
    int (*retain_primary_context)(void** context, int device) = nullptr;

    // HIP: a thread has a device. Null in CUDA.
    int (*get_device)(int* ordinal) = nullptr;
    int (*set_device)(int ordinal) = nullptr;

    int (*allocate_pinned)(void** memory, std::size_t bytes, unsigned flags) = nullptr;
    int (*free_pinned)(void* memory) = nullptr;

    int (*copy_2d)(const Copy2D* copy, Stream stream) = nullptr;
    int (*create_event)(void** event, unsigned flags) = nullptr;
    int (*record_event)(void* event, Stream stream) = nullptr;
    int (*query_event)(void* event) = nullptr;
    int (*destroy_event)(void* event) = nullptr;
    int (*is_capturing)(Stream stream, int* status) = nullptr;

    // CUDA: the kernel of Carpool. Null in HIP, where 2-D copies do its work.
    int (*load_module)(void** module, const void* image) = nullptr;
    int (*function_of)(void** function, void* module, const char* name) = nullptr;
    int (*launch)(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                  Stream stream, void** arguments, void** extra) = nullptr;

    bool has_kernel() const { return load_module && function_of && launch; }

private:
    static inline constinit std::atomic<const Driver*> known_ = nullptr;
};

}  // namespace carpool::device
