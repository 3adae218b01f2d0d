// SPDX-License-Identifier: MIT
#pragma once

#include "fake_cuda.hpp"

#include <carpool/halo.h>
#include <dlfcn.h>

#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

namespace carpool::tests {

/// Whether this process puts its buffers on the device.
inline bool moves() {
    static const bool result = [] {
        const char* const ranks = std::getenv("CARPOOL_TEST_DEVICE");
        if (ranks == nullptr || std::string_view(ranks) != "odd") return true;
        for (const char* const name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK"})
            if (const char* const rank = std::getenv(name)) return std::atoi(rank) % 2 == 1;
        return true;
    }();
    return result;
}

/// The address on the device of a buffer that a test sees.
inline const void* moved(const void* buffer) {
    return moves() ? fake_cuda_on_device(buffer) : buffer;
}
inline void* moved(void* buffer) { return moves() ? fake_cuda_on_device(buffer) : buffer; }

/// The same for a list of arrays.
template <typename Pointer>
class MovedLists {
public:
    MovedLists(int count, Pointer const* lists) : given_(lists) {
        if (lists == nullptr) return;
        for (int i = 0; i < count; ++i) moved_.push_back(moved(lists[i]));
    }
    operator Pointer const*() const { return moved_.empty() ? given_ : moved_.data(); }

private:
    Pointer const* given_;
    std::vector<Pointer> moved_;
};

/// The same for the fields of a halo.
class MovedHalo {
public:
    explicit MovedHalo(const Carpool_Halo* halo)
        : fields_(halo != nullptr ? halo->fields : 0, halo != nullptr ? halo->field : nullptr) {
        if (halo == nullptr) return;
        moved_ = *halo;
        moved_->field = fields_;
    }
    operator const Carpool_Halo*() const { return moved_ ? &*moved_ : nullptr; }

private:
    MovedLists<void*> fields_;
    std::optional<Carpool_Halo> moved_;
};

}  // namespace carpool::tests

/// The function of that name in the library behind this one.
#define CARPOOL_NEXT(function) reinterpret_cast<decltype(&function)>(dlsym(RTLD_NEXT, #function))
