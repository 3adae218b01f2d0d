#include "routing/handover.hpp"

#include <span>

namespace carpool::routing {

Words written(const Handover& handover) {
    Words words{handover.phase, static_cast<int>(handover.blocks.size())};
    for (const auto& [origin, label] : handover.blocks) words.insert(words.end(), {origin, label});
    for (const auto& bundle : handover.bundles) {
        words.push_back(static_cast<int>(bundle.size()));
        words.insert(words.end(), bundle.begin(), bundle.end());
    }
    return words;
}

Handover read_handover(const Words& words) {
    Handover handover{words[0], {}, {}};
    const auto names = std::span(words).subspan(2, 2 * static_cast<std::size_t>(words[1]));
    for (std::size_t i = 0; i < names.size(); i += 2)
        handover.blocks.push_back({names[i], names[i + 1]});
    for (std::size_t at = 2 + names.size(); at < words.size();) {
        const auto bundle = std::span(words).subspan(at + 1, static_cast<std::size_t>(words[at]));
        handover.bundles.emplace_back(bundle.begin(), bundle.end());
        at += 1 + bundle.size();
    }
    return handover;
}

}  // namespace carpool::routing
