// SPDX-License-Identifier: MIT
#include "choose/past_choices.hpp"

#include "base/digest.hpp"

#include <utility>

namespace carpool::choose {

std::vector<Contender> PastChoices::remembered(
    const Key& key, const std::function<std::vector<Contender>()>& choose) {
    if (auto known = find(key)) return *std::move(known);
    auto chosen = choose();
    keep(key, chosen);
    return chosen;
}

PastChoices& PastChoices::all() {
    static PastChoices choices;
    return choices;
}

std::size_t PastChoices::Hash::operator()(const Key& key) const {
    base::Digest digest;
    for (const auto number : key) digest.add(number);
    return static_cast<std::size_t>(digest.bits());
}

std::optional<std::vector<Contender>> PastChoices::find(const Key& key) {
    if (key.empty()) return std::nullopt;
    const std::lock_guard lock(mutex_);
    const auto known = entries_.find(key);
    return known != entries_.end() ? std::optional(known->second) : std::nullopt;
}

void PastChoices::keep(const Key& key, const std::vector<Contender>& chosen) {
    constexpr std::size_t most = 1024;
    if (key.empty()) return;
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= most) entries_.clear();
    entries_.emplace(key, chosen);
}

}  // namespace carpool::choose
