#include "routing/rule.hpp"

#include <array>

namespace carpool::routing {

std::span<const Rule* const> rules() {
    static constexpr std::array<const Rule*, 4> all{&direct, &torus, &cartesian, &basis};
    return all;
}

const Rule* find_rule(std::string_view name) {
    for (const Rule* rule : rules())
        if (rule->name == name) return rule;
    return nullptr;
}

}  // namespace carpool::routing
