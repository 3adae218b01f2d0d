#include "call/sites.hpp"

#include <utility>

namespace carpool::call {
std::optional<std::size_t> Sites::known(const Key& key, std::int64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = found_.find(key);
    if (key.empty() || found == found_.end() || found->second.number >= number) return std::nullopt;
    return found->second.candidate;
}

/// What is kept stays: to make room would have to happen at the same call on all ranks.
void Sites::keep(Key key, std::size_t candidate, std::int64_t number) {
    constexpr std::size_t most = 1024;
    const std::lock_guard lock(mutex_);
    if (key.empty() || found_.size() >= most) return;
    found_.emplace(std::move(key), Found{candidate, number});
}

}  // namespace carpool::call
