#include "neighbor/settings.hpp"

#include "mpi/error.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace carpool::neighbor {
namespace {

using call::Lookup;
using call::refuse;

std::string rule_names() {
    std::string names;
    for (const auto* rule : routing::rules()) {
        names += std::string(rule->name) + ", ";
        if (rule->plans != nullptr)
            names += std::string(rule->name) + ":ROUNDS or " + std::string(rule->name) +
                     ":ROUNDS/PHASES, ";
    }
    return names + "or auto";
}

routing::NamedRule rule_named(const call::Setting& setting) {
    if (setting.text == "auto") return {nullptr};
    const auto rule = routing::rule_from_text(setting.text);
    if (!rule) refuse(setting, rule_names());
    return *rule;
}

/// An order in an info; in the environment a preference.
void take_rule(Settings& settings, const call::Setting& setting) {
    const auto [rule, limits] = rule_named(setting);
    const bool wished = setting.source == call::Source::environment;
    settings.preferred = wished ? rule : nullptr;
    settings.rule = wished ? nullptr : rule;
    settings.options.limits = limits;
}

bool rearranges(const call::Setting& setting) {
    if (setting.text != "auto" && setting.text != "off") refuse(setting, "auto or off");
    return setting.text == "auto";
}

Settings overlaid(Settings settings, const Lookup& lookup) {
    settings.take(lookup);
    if (const auto v = lookup("carpool_algorithm")) take_rule(settings, *v);
    if (const auto v = lookup("carpool_theta"))
        settings.options.theta = static_cast<int>(std::min<std::int64_t>(
            call::positive(*v, "a number of common neighbors"), std::numeric_limits<int>::max()));
    if (const auto v = lookup("carpool_rearrange")) settings.rearrange = rearranges(*v);
    if (const auto v = lookup("carpool_digits")) {
        settings.options.digits = call::digits(*v);
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

std::string text_of_limit(std::int64_t limit) {
    return limit == routing::Limits::none ? "any" : std::to_string(limit);
}

/// Of the values that claim() makes. What is in the info of one rank may be in the environment of
/// another.
mpi::Wording wording(std::size_t i, std::int64_t value) {
    constexpr const char* names[] = {"carpool_algorithm in the info",
                                     "carpool_algorithm in the environment",
                                     "carpool_alpha in info or environment",
                                     "carpool_beta in info or environment",
                                     "carpool_sigma in info or environment",
                                     "carpool_check in info or environment",
                                     "carpool_measure in info or environment",
                                     "carpool_theta in info or environment",
                                     "carpool_rearrange in info or environment",
                                     "carpool_site in info or environment",
                                     "carpool_ports in info or environment",
                                     "rounds of carpool_algorithm",
                                     "phases of carpool_algorithm",
                                     "carpool_digits in info or environment"};
    const auto* const name = names[std::min(i, std::size(names) - 1)];
    if (i < 2) return {name, rule_name(value)};
    if (i == 9) return {name, call::text_of_site(value)};
    if (i == 11 || i == 12) return {name, text_of_limit(value)};
    return {name, i < 5 ? call::text_of_cost(value) : std::to_string(value)};
}

}  // namespace

Settings Settings::from_environment() {
    return overlaid({call::Tuning::of_this_mpi()}, call::in_environment());
}

Settings Settings::with(MPI_Info info) const {
    return info == MPI_INFO_NULL ? *this : overlaid(*this, call::in_info(info));
}

engine::Manner Settings::manner(const engine::Summary& summary, std::optional<int> tag) const {
    return {packing, engine::Watch::any,
            call::posts_persistent(posting, summary.phases) ? tag : std::nullopt};
}

mpi::Claim Settings::claim() const {
    auto values = routing::numbers_of(options.digits);
    values.insert(
        values.begin(),
        {number_of(rule), number_of(preferred), std::bit_cast<std::int64_t>(model.alpha),
         std::bit_cast<std::int64_t>(model.beta), std::bit_cast<std::int64_t>(model.sigma),
         static_cast<std::int64_t>(check), measure ? 1 : 0, options.theta, rearrange ? 1 : 0, site,
         model.ports, options.limits.rounds, options.limits.phases});
    return {
        "carpool_algorithm, carpool_alpha, carpool_beta, carpool_sigma, carpool_check, "
        "carpool_measure, carpool_theta, carpool_rearrange, carpool_site, carpool_ports, "
        "carpool_digits",
        std::move(values),
        {},
        wording};
}

}  // namespace carpool::neighbor
