// SPDX-License-Identifier: MIT
#include "neighbor/topology/settings.hpp"

#include "mpi/error.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using arguments::Lookup;
using arguments::refuse;

std::string rule_names() {
    std::string names;
    for (const auto* rule : routing::rules()) {
        names += std::string(rule->name) + ", ";
        if (rule->knows_nodes) names += std::string(rule->name) + ":CARRIERS, ";
        if (rule->plans != nullptr)
            names += std::string(rule->name) + ":ROUNDS or " + std::string(rule->name) +
                     ":ROUNDS/PHASES, ";
    }
    return names + "or auto";
}

routing::NamedRule rule_named(const arguments::Setting& setting) {
    if (setting.text == "auto") return {nullptr};
    const auto rule = routing::rule_from_text(setting.text);
    if (!rule) refuse(setting, rule_names());
    return *rule;
}

/// In an info the rule is required; in the environment it is a preference.
void take_rule(NeighborSettings& settings, const arguments::Setting& setting) {
    const auto [rule, limits, carriers] = rule_named(setting);
    const bool wished = setting.source == arguments::Source::environment;
    settings.preferred = wished ? rule : nullptr;
    settings.rule = wished ? nullptr : rule;
    settings.options.limits = limits;
    settings.options.carriers = carriers;
}

bool rearranges(const arguments::Setting& setting) {
    if (setting.text != "auto" && setting.text != "off") refuse(setting, "auto or off");
    return setting.text == "auto";
}

NeighborSettings overlaid(NeighborSettings settings, const Lookup& lookup) {
    settings.take(lookup);
    if (const auto v = lookup("carpool_algorithm")) take_rule(settings, *v);
    if (const auto v = lookup("carpool_theta"))
        settings.options.theta = static_cast<int>(
            std::min<std::int64_t>(arguments::positive(*v, "a number of common neighbors"),
                                   std::numeric_limits<int>::max()));
    if (const auto v = lookup("carpool_rearrange")) settings.rearrange = rearranges(*v);
    if (const auto v = lookup("carpool_digits")) {
        settings.options.digits = arguments::digits(*v);
        settings.digits_source = v->source;
    }
    return settings;
}

std::int64_t number_of(const routing::Rule* rule) {
    const auto rules = routing::rules();
    const auto found = std::find(rules.begin(), rules.end(), rule);
    return found == rules.end() ? -1 : found - rules.begin();
}

std::string rule_name(std::int64_t number) {
    return number < 0 ? "auto"
                      : std::string(routing::rules()[static_cast<std::size_t>(number)]->name);
}

std::string text_of_carriers(std::int64_t carriers) {
    return carriers == 0 ? "any" : std::to_string(carriers);
}

std::string text_of_limit(std::int64_t limit) {
    return limit == routing::Limits::none ? "any" : std::to_string(limit);
}

}  // namespace

NeighborSettings NeighborSettings::from_environment() {
    NeighborSettings settings{arguments::Tuning::of_this_mpi(choose::MessageUse::neighborhoods)};
    settings.options.carriers = 0;
    return overlaid(std::move(settings), arguments::in_environment());
}

NeighborSettings NeighborSettings::with(MPI_Info info) const {
    return info == MPI_INFO_NULL ? *this : overlaid(*this, arguments::in_info(info));
}

mpi::Claim NeighborSettings::claim() const {
    std::vector<arguments::ClaimedSetting> settings{
        {"carpool_algorithm", "in the info", number_of(rule), rule_name},
        {"carpool_algorithm", "in the environment", number_of(preferred), rule_name},
        {"carpool_algorithm", "in rounds", options.limits.rounds, text_of_limit},
        {"carpool_algorithm", "in phases", options.limits.phases, text_of_limit},
        {"carpool_algorithm", "in carriers", options.carriers, text_of_carriers},
        claimed_transport(),
        claimed_check(),
        claimed_choice(),
        {"carpool_theta", arguments::in_either, options.theta},
        {"carpool_rearrange", arguments::in_either, rearrange ? 1 : 0}};
    const auto costs = claimed_costs();
    settings.insert(settings.end(), costs.begin(), costs.end());
    arguments::add_digits(settings, arguments::in_either, options.digits);
    return arguments::claim_of(std::move(settings));
}

}  // namespace carpool::neighbor
