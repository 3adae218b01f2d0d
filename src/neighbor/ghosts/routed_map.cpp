// SPDX-License-Identifier: MIT
#include "neighbor/ghosts/routed_map.hpp"

#include "arguments/keys.hpp"
#include "mpi/error.hpp"
#include "neighbor/candidate.hpp"

#include <string>
#include <utility>

namespace carpool::neighbor {
namespace {

bool reproducible_sums(const arguments::Lookup& lookup) {
    const auto setting = lookup("carpool_sums");
    if (!setting) return false;
    if (setting->text != "any" && setting->text != "reproducible")
        arguments::refuse(*setting, "any or reproducible");
    return setting->text == "reproducible";
}

/// The one rule that an info or the environment asks for; null for none.
const routing::Rule* asked_rule(const NeighborSettings& settings) {
    if (settings.rule != nullptr) return settings.rule;
    const auto* const preferred = settings.preferred;
    return preferred != nullptr && preferred->route != nullptr ? preferred : nullptr;
}

std::vector<RuleInUse> ways_to_use(const routing::Rule& rule, const NeighborSettings& settings,
                                   const topology::Nodes* nodes) {
    std::vector<RuleInUse> ways;
    for (const int carriers :
         rule.knows_nodes ? carriers_to_try(settings, nodes) : std::vector{1}) {
        auto options = settings.options;
        options.carriers = carriers;
        ways.push_back({&rule, routing::applied(rule, std::move(options))});
    }
    return ways;
}

}  // namespace

GhostSettings GhostSettings::from_environment() {
    return {NeighborSettings::from_environment(), reproducible_sums(arguments::in_environment())};
}

GhostSettings GhostSettings::with(MPI_Info info) const {
    return {neighbor.with(info), reproducible};
}

std::vector<mpi::Claim> GhostSettings::claims() const {
    return {neighbor.claim(), {"CARPOOL_SUMS in the environment", {reproducible ? 1 : 0}}};
}

void check_rule_for_ghosts(const NeighborSettings& settings, int ranks) {
    if (settings.rule != nullptr && settings.rule->route == nullptr)
        throw mpi::Error(MPI_ERR_INFO_VALUE,
                         "carpool_algorithm in the info is '" + std::string(settings.rule->name) +
                             "', which needs a torus or mesh, expected a rule of graphs or auto");
    const auto* const asked = asked_rule(settings);
    if (asked != nullptr && asked->writes_digits)
        arguments::check_digits(settings.options.digits, settings.digits_source, ranks);
}

std::vector<RuleInUse> further_rules(const NeighborSettings& settings, const topology::Nodes* nodes,
                                     const choose::Load& direct) {
    const auto* const asked = asked_rule(settings);
    const auto is_planned = [&](const routing::Rule& rule) {
        if (&rule == &routing::direct) return false;
        if (asked != nullptr) return &rule == asked;
        if (rule.knows_nodes) return nodes != nullptr;
        return rule.automatic && rule.seeks_friends && combining_may_pay(settings, direct.times(0));
    };
    std::vector<RuleInUse> all;
    for (const auto* rule : routing::graph_rules())
        if (is_planned(*rule))
            for (auto& use : ways_to_use(*rule, settings, nodes)) all.push_back(std::move(use));
    return all;
}

bool allows(const NeighborSettings& settings, const RuleInUse& use) {
    const auto* const asked = asked_rule(settings);
    const int carriers = use.rule->knows_nodes ? settings.options.carriers : 0;
    return (asked == nullptr || use.rule == asked) &&
           (carriers == 0 || carriers == use.options.carriers);
}

}  // namespace carpool::neighbor
