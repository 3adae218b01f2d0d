#include "call/alike_calls.hpp"

#include <mutex>

namespace carpool::call {

AlikeTable::Found AlikeTable::of(std::uint64_t digest, const AlikeCalls::Plan& plan) {
    const std::lock_guard lock(mutex_);
    return {made(digest, plan)};
}

AlikeTable::Found AlikeTable::counted(std::uint64_t digest, const AlikeCalls::Plan& plan,
                                      std::uint64_t own_call) {
    const std::lock_guard lock(mutex_);
    auto calls = made(digest, plan);
    const bool meet = meets(*calls, own_call);
    return {std::move(calls), meet};
}

std::shared_ptr<AlikeCalls> AlikeTable::find(std::uint64_t digest) const {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(digest);
    return found != all_.end() ? found->second : nullptr;
}

std::shared_ptr<AlikeCalls> AlikeTable::made(std::uint64_t digest, const AlikeCalls::Plan& plan) {
    constexpr std::size_t many = 4 * most;
    if (all_.size() >= many) forget_uncounted();
    auto& found = all_[digest];
    if (!found) found = std::make_shared<AlikeCalls>(plan);
    return found;
}

bool AlikeTable::meets(AlikeCalls& calls, std::uint64_t own_call) {
    if (calls.blocking_ == 0 && ++counted_ > most) forget_unsettled();
    if (calls.forgotten_) return false;
    calls.count(calls.note(own_call));
    return calls.blocking_ >= calls.next_meeting_;
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
