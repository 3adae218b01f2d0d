// SPDX-License-Identifier: MIT
#include "ordinary/settings.hpp"

#include <string>
#include <utility>

namespace carpool::ordinary {
namespace {

using arguments::Lookup;
using collectives::Kind;

const collectives::Algorithm* algorithm_named(Kind kind, const arguments::Setting& setting) {
    const auto& name = setting.text;
    if (name == "auto") return nullptr;
    if (const auto* found = collectives::find_algorithm(kind, name)) return found;
    std::string names;
    for (const auto& algorithm : collectives::algorithms(kind))
        names += std::string(algorithm.name) + ", ";
    arguments::refuse(setting, names + "or auto");
}

void take_common(CollectiveSettings& settings, const Lookup& lookup) {
    settings.take(lookup);
    if (const auto v = lookup("carpool_digits")) settings.digits = arguments::digits(*v);
    if (const auto v = lookup("carpool_segment"))
        settings.segment = arguments::positive(*v, "bytes of a piece");
}

constexpr std::int64_t most_algorithms = 1 << 10;  // of one kind

/// A number for an algorithm and its kind, or -1 for auto.
std::int64_t number_of(const collectives::Algorithm* algorithm) {
    if (algorithm == nullptr) return -1;
    const auto first = collectives::algorithms(algorithm->kind).data();
    return static_cast<std::int64_t>(algorithm->kind) * most_algorithms + (algorithm - first);
}

/// The name of the algorithm with this number.
std::string algorithm_name(std::int64_t number) {
    if (number < 0) return "auto";
    const auto algorithms = collectives::algorithms(static_cast<Kind>(number / most_algorithms));
    return std::string(algorithms[static_cast<std::size_t>(number % most_algorithms)].name);
}

}  // namespace

CollectiveSettings CollectiveSettings::of(Kind kind, MPI_Info info) {
    CollectiveSettings settings{arguments::Tuning::of_this_mpi(choose::MessageUse::collectives)};
    settings.sums = collectives::reduces(kind);
    const auto environment = arguments::in_environment();
    const auto given = arguments::in_info(info);
    take_common(settings, environment);
    take_common(settings, given);
    // CARPOOL_ALGORITHM sets the rule of neighborhoods, which does not concern these collectives
    const auto key = "carpool_" + std::string(name_of(kind));
    if (const auto v = environment(key)) settings.preferred = algorithm_named(kind, *v);
    if (const auto v = given("carpool_algorithm")) settings.algorithm = algorithm_named(kind, *v);
    return settings;
}

void CollectiveSettings::prefer_for(const collectives::Problem& problem) {
    if (algorithm == nullptr && preferred != nullptr && preferred->applies(problem))
        algorithm = preferred;
}

std::vector<mpi::Claim> CollectiveSettings::claims() const {
    std::vector<arguments::ClaimedSetting> rest{claimed_transport(),
                                                claimed_choice(),
                                                {"carpool_segment", arguments::in_either, segment},
                                                claimed_check()};
    arguments::add_digits(rest, arguments::in_either, digits);
    return {arguments::claim_of({{"carpool_algorithm", arguments::in_either, number_of(algorithm),
                                  algorithm_name}}),
            arguments::claim_of(claimed_costs()), arguments::claim_of(std::move(rest))};
}

}  // namespace carpool::ordinary
