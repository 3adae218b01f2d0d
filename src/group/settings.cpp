#include "group/settings.hpp"

#include <string>
#include <utility>

namespace carpool::group {
namespace {

using call::Lookup;
using collectives::Kind;

const collectives::Algorithm* algorithm_named(Kind kind, const call::Setting& setting) {
    const auto& name = setting.text;
    if (name == "auto") return nullptr;
    if (const auto* found = collectives::find_algorithm(kind, name)) return found;
    std::string names;
    for (const auto& algorithm : collectives::algorithms(kind))
        names += std::string(algorithm.name) + ", ";
    call::refuse(setting, names + "or auto");
}

void take_common(Settings& settings, const Lookup& lookup) {
    settings.take(lookup);
    if (const auto v = lookup("carpool_digits")) settings.digits = call::digits(*v);
    if (const auto v = lookup("carpool_segment"))
        settings.segment = call::positive(*v, "bytes of a piece");
}

constexpr std::int64_t most_algorithms = 1 << 10;  // of one kind

/// That of its kind with it, or -1 for auto.
std::int64_t number_of(const collectives::Algorithm* algorithm) {
    if (algorithm == nullptr) return -1;
    const auto first = collectives::algorithms(algorithm->kind).data();
    return static_cast<std::int64_t>(algorithm->kind) * most_algorithms + (algorithm - first);
}

/// Of such a number.
std::string algorithm_name(std::int64_t number) {
    if (number < 0) return "auto";
    const auto algorithms = collectives::algorithms(static_cast<Kind>(number / most_algorithms));
    return std::string(algorithms[static_cast<std::size_t>(number % most_algorithms)].name);
}

}  // namespace

Settings Settings::of(Kind kind, MPI_Info info) {
    Settings settings{call::Tuning::of_this_mpi(choose::Work::collectives)};
    settings.sums = collectives::reduces(kind);
    const auto environment = call::in_environment();
    const auto given = call::in_info(info);
    take_common(settings, environment);
    take_common(settings, given);
    // CARPOOL_ALGORITHM is the rule of neighborhoods, which these know nothing of
    const auto key = "carpool_" + std::string(name_of(kind));
    if (const auto v = environment(key)) settings.preferred = algorithm_named(kind, *v);
    if (const auto v = given("carpool_algorithm")) settings.algorithm = algorithm_named(kind, *v);
    return settings;
}

void Settings::prefer_for(const collectives::Problem& problem) {
    if (algorithm == nullptr && preferred != nullptr && preferred->applies(problem))
        algorithm = preferred;
}

std::vector<mpi::Claim> Settings::claims() const {
    std::vector<call::ClaimedSetting> rest{claimed_ways(),
                                           claimed_choice(),
                                           {"carpool_segment", call::in_either, segment},
                                           claimed_check()};
    call::add_digits(rest, call::in_either, digits);
    return {call::claim_of(
                {{"carpool_algorithm", call::in_either, number_of(algorithm), algorithm_name}}),
            call::claim_of(claimed_costs()), call::claim_of(std::move(rest))};
}

}  // namespace carpool::group
