// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

// What tests ask of the driver that takes the place of CUDA's (fake_cuda.cpp). They load it as the
// library does, or are linked to it.
extern "C" {

/// Memory of the device; null if there is none left. The CPU cannot read what these addresses have.
void* fake_cuda_allocate(std::size_t bytes);
void fake_cuda_free(void* memory);

/// Where the test reads and writes memory of the device; other addresses stay as they are.
void* fake_cuda_seen_by_test(void* on_device);

/// The reverse.
void* fake_cuda_on_device(const void* seen_by_test);

/// Managed memory.
void* fake_cuda_managed(void);

/// A stream that waits for no other one, as with cudaStreamNonBlocking. It lives until the process
/// ends.
void* fake_cuda_stream(void);

/// Puts work on a stream.
void fake_cuda_launch(void* stream, void (*work)(void*), void* argument);

/// Marks all streams as being captured, or not.
void fake_cuda_capture(void* stream, int captures);

/// Waits for all that the device has to do.
void fake_cuda_finish(void);

struct FakeCudaCounts {
    std::int64_t launches;
    std::int64_t copies;            ///< without the kernel
    std::int64_t synchronizations;  ///< calls that wait for the device
    std::int64_t pinned;            ///< bytes
};
struct FakeCudaCounts fake_cuda_counts(void);
}
