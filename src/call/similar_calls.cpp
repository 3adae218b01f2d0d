#include "call/similar_calls.hpp"

#include <mutex>

namespace carpool::call {

SimilarCallTable::Found SimilarCallTable::of(std::uint64_t digest, int meets_in, bool blocking) {
    const std::lock_guard lock(mutex_);
    auto calls = made(digest, meets_in);
    const bool meet = blocking && meets(*calls);
    return {std::move(calls), meet};
}

void SimilarCallTable::remember(std::uint64_t digest, int meets_in, int variant,
                                SimilarCalls::ByCost by_cost) {
    const std::lock_guard lock(mutex_);
    made(digest, meets_in)->by_cost_.insert_or_assign(variant, by_cost);
}

std::optional<SimilarCallTable::Standing> SimilarCallTable::standing(std::uint64_t digest,
                                                                     int variant) const {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(digest);
    if (found == all_.end()) return std::nullopt;
    const auto& calls = found->second;
    const auto by_cost = calls->by_cost_.find(variant);
    if (by_cost == calls->by_cost_.end()) return std::nullopt;
    if (!by_cost->second.is_counted) return Standing{nullptr, by_cost->second.identity};
    return Standing{calls,
                    calls->settled() ? calls->settled_.identity() : by_cost->second.identity};
}

std::shared_ptr<SimilarCalls> SimilarCallTable::made(std::uint64_t digest, int meets_in) {
    constexpr std::size_t many = 4 * most;
    if (all_.size() >= many) forget_uncounted();
    auto& found = all_[digest];
    if (!found) found = std::make_shared<SimilarCalls>(meets_in);
    return found;
}

bool SimilarCallTable::meets(SimilarCalls& calls) {
    if (calls.settled()) return false;
    if (calls.blocking_ == 0 && ++counted_ > most) forget_unsettled();
    if (calls.forgotten_) return false;
    return ++calls.blocking_ >= calls.meets_in_;
}

/// If many are settled, no further ones are counted.
void SimilarCallTable::forget_unsettled() {
    std::erase_if(all_, [](const auto& one) {
        if (!one.second->settled()) one.second->forgotten_ = true;
        return !one.second->settled();
    });
    const auto settled = static_cast<int>(all_.size());
    counted_ = settled < most / 2 ? settled : most;
}

/// Nonblocking calls of ever new sizes must not fill the memory.
void SimilarCallTable::forget_uncounted() {
    std::erase_if(all_, [](const auto& one) {
        const bool counted = one.second->settled() || one.second->blocking_ > 0;
        if (!counted) one.second->forgotten_ = true;
        return !counted;
    });
}

}  // namespace carpool::call
