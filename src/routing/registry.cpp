// SPDX-License-Identifier: MIT
#include "routing/rule.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace carpool::routing {
namespace {

constexpr std::array<const Rule*, 11> all{&direct,    &torus,      &cartesian,    &basis,  //
                                          &friends,   &cumulative, &virtual_mesh, &virtual_grid,
                                          &hypercube, &by_digits,  &by_node};

template <typename Fits>
std::vector<const Rule*> rules_that(Fits fits) {
    std::vector<const Rule*> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), fits);
    return chosen;
}

}  // namespace

std::span<const Rule* const> rules() { return all; }

std::span<const Rule* const> grid_rules() {
    static const auto chosen = rules_that([](const Rule* rule) { return rule->plan != nullptr; });
    return chosen;
}

std::span<const Rule* const> graph_rules() {
    static const auto chosen = rules_that([](const Rule* rule) { return rule->route != nullptr; });
    return chosen;
}

RouteOptions applied(const Rule& rule, RouteOptions options) {
    if (!rule.seeks_friends) options.theta = RouteOptions{}.theta;
    if (!rule.writes_digits) options.digits = {};
    if (!rule.follows_next_hop) options.longest = RouteOptions{}.longest;
    if (!rule.rearranges) options.arrangement = 0;
    if (!rule.knows_nodes) options.carriers = RouteOptions{}.carriers;
    if (rule.plans == nullptr) options.limits = {};
    return options;
}

const Rule* find_rule(std::string_view name) {
    for (const Rule* rule : rules())
        if (rule->name == name) return rule;
    return nullptr;
}

std::optional<NamedRule> rule_from_text(std::string_view text) {
    const auto colon = text.find(':');
    const auto* rule = find_rule(text.substr(0, colon));
    if (rule == nullptr) return std::nullopt;
    if (colon == std::string_view::npos) return NamedRule{rule};
    const auto limits = limits_from_text(text.substr(colon + 1));
    if (!limits) return std::nullopt;
    if (rule->plans != nullptr) return NamedRule{rule, *limits};
    if (!rule->knows_nodes || limits->rounds < 1 || limits->phases != Limits::none)
        return std::nullopt;
    return NamedRule{rule, {}, limits->rounds};
}

std::string text_of(const NamedRule& named) {
    const std::string name(named.rule->name);
    if (named.carriers > 0) return name + ":" + std::to_string(named.carriers);
    return named.limits == Limits{} ? name : name + ":" + text_of(named.limits);
}

}  // namespace carpool::routing
