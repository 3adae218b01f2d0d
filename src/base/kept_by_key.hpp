// SPDX-License-Identifier: MIT
#pragma once

#include "base/mutex.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

namespace carpool::base {

/// The latest value for each key. Any thread may keep and find values.
template <typename Key, typename Value>
class KeptByKey {
public:
    /// Forgets all others where there are very many.
    void keep(const Key& key, Value value) {
        constexpr std::size_t most = 4096;
        const std::lock_guard lock(mutex_);
        if (values_.size() >= most) values_.clear();
        values_.insert_or_assign(key, std::move(value));
    }

    std::optional<Value> find(const Key& key) const {
        const std::lock_guard lock(mutex_);
        const auto found = values_.find(key);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    mutable Mutex mutex_;
    std::unordered_map<Key, Value> values_;
};

}  // namespace carpool::base
