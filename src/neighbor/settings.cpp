#include "neighbor/settings.hpp"

#include "mpi/error.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
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
    for (const auto* rule : routing::rules()) names += std::string(rule->name) + ", ";
    return names + "or auto";
}

const routing::Rule* rule_named(const std::string& key, const std::string& name) {
    if (name == "auto") return nullptr;
    const auto* rule = routing::find_rule(name);
    if (rule == nullptr) refuse(key, name, rule_names());
    return rule;
}

Settings overlaid(Settings settings, const Lookup& lookup) {
    settings.take(lookup);
    if (const auto v = lookup("carpool_algorithm"))
        settings.rule = rule_named("carpool_algorithm", *v);
    if (const auto v = lookup("carpool_theta"))
        settings.options.theta = static_cast<int>(std::min<std::int64_t>(
            call::positive("carpool_theta", *v, "a number of common neighbors"),
            std::numeric_limits<int>::max()));
    if (const auto v = lookup("carpool_digits"))
        settings.options.digits = call::digits("carpool_digits", *v);
    return settings;
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
    std::int64_t number = -1;
    const auto rules = routing::rules();
    for (std::size_t i = 0; i < rules.size(); ++i)
        if (rules[i] == rule) number = static_cast<std::int64_t>(i);
    auto values = routing::numbers_of(options.digits);
    values.insert(
        values.begin(),
        {number, std::bit_cast<std::int64_t>(model.alpha), std::bit_cast<std::int64_t>(model.beta),
         std::bit_cast<std::int64_t>(model.sigma), static_cast<std::int64_t>(check),
         measure ? 1 : 0, options.theta});
    return {
        "carpool_algorithm, carpool_alpha, carpool_beta, carpool_sigma, carpool_check, "
        "carpool_measure, carpool_theta, carpool_digits",
        std::move(values)};
}

}  // namespace carpool::neighbor
