#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace carpool::base {

/// Holds memory that MPI may still use after a call has failed, behind MPI_Finalize too; a leak
/// checker sees that it is held.
inline void never_free(std::shared_ptr<void> memory) {
    static std::mutex mutex;
    static auto* const all = new std::vector<std::shared_ptr<void>>;
    const std::lock_guard lock(mutex);
    all->push_back(std::move(memory));
}

}  // namespace carpool::base
