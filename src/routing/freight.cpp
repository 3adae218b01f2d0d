#include "routing/freight.hpp"

#include <span>

namespace carpool::routing {

Words written(const Freight& freight) {
    Words words{freight.phase, static_cast<int>(freight.blocks.size())};
    for (const auto& [origin, label] : freight.blocks) words.insert(words.end(), {origin, label});
    for (const auto& bundle : freight.bundles) {
        words.push_back(static_cast<int>(bundle.size()));
        words.insert(words.end(), bundle.begin(), bundle.end());
    }
    return words;
}

Freight read_freight(const Words& words) {
    Freight freight{words[0], {}, {}};
    const auto names = std::span(words).subspan(2, 2 * static_cast<std::size_t>(words[1]));
    for (std::size_t i = 0; i < names.size(); i += 2)
        freight.blocks.push_back({names[i], names[i + 1]});
    for (std::size_t at = 2 + names.size(); at < words.size();) {
        const auto bundle = std::span(words).subspan(at + 1, static_cast<std::size_t>(words[at]));
        freight.bundles.emplace_back(bundle.begin(), bundle.end());
        at += 1 + bundle.size();
    }
    return freight;
}

}  // namespace carpool::routing
