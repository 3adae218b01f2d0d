// SPDX-License-Identifier: MIT
#pragma once

#include <boost/test/unit_test.hpp>

#include "fake_cuda.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <vector>

namespace carpool::tests {

template <typename Function>
Function* driver_function(const char* name) {
    static void* const driver = dlopen(CARPOOL_TEST_FAKE_CUDA, RTLD_NOW);
    BOOST_REQUIRE_MESSAGE(driver != nullptr, dlerror());
    return reinterpret_cast<Function*>(dlsym(driver, name));
}

#define CARPOOL_DRIVER(function) driver_function<decltype(function)>(#function)

inline FakeCudaCounts counts() { return CARPOOL_DRIVER(fake_cuda_counts)(); }

/// An array on the device.
template <typename Value>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count, Value value = {})
        : memory_(CARPOOL_DRIVER(fake_cuda_allocate)(count * sizeof(Value))), count_(count) {
        for (std::size_t i = 0; i < count; ++i) (*this)[i] = value;
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { CARPOOL_DRIVER(fake_cuda_free)(memory_); }

    void* get() const { return memory_; }

    /// What is there, once the device has done all that it has to do.
    Value& operator[](std::size_t i) const {
        CARPOOL_DRIVER(fake_cuda_finish)();
        return static_cast<Value*>(CARPOOL_DRIVER(fake_cuda_seen_by_test)(memory_))[i];
    }
    std::vector<Value> values() const { return {&(*this)[0], &(*this)[0] + count_}; }

private:
    void* memory_;
    std::size_t count_;
};

}  // namespace carpool::tests
