#include "choose/past_choices.hpp"

#include <algorithm>

namespace carpool::choose {

Chosen PastChoices::remembered(const Key& key, const std::function<Chosen()>& choose) {
    if (const auto known = find(key)) return *known;
    const auto chosen = choose();
    keep(key, chosen);
    return chosen;
}

PastChoices& PastChoices::all() {
    static PastChoices choices;
    return choices;
}

std::optional<Chosen> PastChoices::find(const Key& key) {
    if (key.empty()) return std::nullopt;
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(entries_.begin(), entries_.end(),
                                    [&key](const auto& entry) { return entry.first == key; });
    return known != entries_.end() ? std::optional(known->second) : std::nullopt;
}

void PastChoices::keep(const Key& key, const Chosen& chosen) {
    constexpr std::size_t most = 32;
    if (key.empty()) return;
    const std::lock_guard lock(mutex_);
    if (entries_.size() < most)
        entries_.emplace_back(key, chosen);
    else
        entries_[next_++ % most] = {key, chosen};
}

}  // namespace carpool::choose
