#pragma once

#include "base/mutex.hpp"
#include "engine/preparation.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace carpool::call {

/// The plans of the latest blocking and nonblocking calls on a communicator, by operation, for
/// users who ask for them.
class LatestPlans {
public:
    /// @param operation  the value of its claim
    void keep(std::int64_t operation, const engine::Summary& plan) {
        const std::lock_guard lock(mutex_);
        plans_[operation] = plan;
    }

    std::optional<engine::Summary> find(std::int64_t operation) const {
        const std::lock_guard lock(mutex_);
        const auto found = plans_.find(operation);
        return found == plans_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    mutable base::Mutex mutex_;  // any thread may progress a call
    std::map<std::int64_t, engine::Summary> plans_;
};

}  // namespace carpool::call
