// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace carpool::base {

/// Holds memory that MPI may still use after a call has failed, even after MPI_Finalize. The memory
/// stays reachable, so a leak checker does not report it.
class NeverFreed {
public:
    static void add(std::shared_ptr<void> memory) noexcept {
        add(std::make_unique<std::shared_ptr<void>>(std::move(memory)));
    }

    /// Leaks the memory if there is no space left to hold it.
    template <typename T>
    static void add(std::unique_ptr<T> memory) noexcept try {
        if (memory == nullptr) return;
        const std::lock_guard lock(mutex());
        all().reserve(all().size() + 1);
        all().emplace_back(std::move(memory));
    } catch (const std::bad_alloc&) {
        static_cast<void>(memory.release());
    }

private:
    using All = std::vector<std::shared_ptr<void>>;

    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static All& all() {
        static auto* const one = new All;
        return *one;
    }
};

}  // namespace carpool::base
