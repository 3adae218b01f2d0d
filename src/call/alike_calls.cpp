#include "call/alike_calls.hpp"

#include <algorithm>
#include <mutex>

namespace carpool::call {

AlikeTable::Found AlikeTable::of(const std::vector<std::int64_t>& key, int meets_in,
                                 bool blocking) {
    const std::lock_guard lock(mutex_);
    auto calls = find(key, meets_in);
    const bool meet = blocking && meets(*calls);
    return {std::move(calls), meet};
}

std::shared_ptr<AlikeCalls> AlikeTable::find(const std::vector<std::int64_t>& key, int meets_in) {
    constexpr std::size_t many = 4 * most;
    if (all_.size() >= many) forget_uncounted();
    auto& found = all_[key];
    if (!found) found = std::make_shared<AlikeCalls>(meets_in);
    return found;
}

bool AlikeTable::meets(AlikeCalls& calls) {
    if (calls.settled()) return false;
    if (calls.blocking_ == 0 && ++counted_ > most) forget_unsettled();
    if (calls.forgotten_) return false;
    return ++calls.blocking_ >= calls.meets_in_;
}

/// If many are settled, no others are counted any more.
void AlikeTable::forget_unsettled() {
    std::erase_if(all_, [](const auto& one) {
        if (!one.second->settled()) one.second->forgotten_ = true;
        return !one.second->settled();
    });
    const auto settled = static_cast<int>(all_.size());
    counted_ = settled < most / 2 ? settled : most;
}

/// Nonblocking calls of ever new sizes must not fill the memory.
void AlikeTable::forget_uncounted() {
    std::erase_if(all_, [](const auto& one) {
        const bool counted = one.second->settled() || one.second->blocking_ > 0;
        if (!counted) one.second->forgotten_ = true;
        return !counted;
    });
}

}  // namespace carpool::call
