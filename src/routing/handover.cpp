// SPDX-License-Identifier: MIT
#include "routing/handover.hpp"

#include "routing/wide_words.hpp"

#include <span>

namespace carpool::routing {

Words written(const Handover& handover) {
    Words words{handover.phase, static_cast<int>(handover.blocks.size())};
    for (const auto& [origin, label] : handover.blocks) words.insert(words.end(), {origin, label});
    for (const auto bytes : handover.bytes) add_wide(words, bytes);
    for (const auto& bundle : handover.bundles) {
        words.push_back(static_cast<int>(bundle.size()));
        words.insert(words.end(), bundle.begin(), bundle.end());
    }
    return words;
}

Handover read_handover(const Words& words, bool sized) {
    Handover handover{words[0], {}, {}, {}};
    const auto blocks = static_cast<std::size_t>(words[1]);
    std::size_t at = 2;
    for (; handover.blocks.size() < blocks; at += 2)
        handover.blocks.push_back({words[at], words[at + 1]});
    for (; sized && handover.bytes.size() < blocks; at += 2)
        handover.bytes.push_back(wide_at(words, at));
    while (at < words.size()) {
        const auto bundle = std::span(words).subspan(at + 1, static_cast<std::size_t>(words[at]));
        handover.bundles.emplace_back(bundle.begin(), bundle.end());
        at += 1 + bundle.size();
    }
    return handover;
}

}  // namespace carpool::routing
