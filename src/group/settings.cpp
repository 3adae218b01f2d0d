#include "group/settings.hpp"

#include "mpi/library.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>
#include <utility>

namespace carpool::group {
namespace {

using call::Lookup;
using collectives::Kind;

// Seconds per message and byte that pass a core, and per phase; fitted to bench/'s figures of all
// algorithms on 2 to 32 ranks (docs/collectives.md). Only their ratios choose.
constexpr choose::CostModel cheap_messages{2.3e-6, 3e-10, 46e-6};
constexpr choose::CostModel dear_messages{4e-6, 1.2e-10, 12e-6};

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

mpi::Wording algorithm_wording(std::size_t, std::int64_t value) {
    const std::string name = "carpool_algorithm in info or environment";
    if (value < 0) return {name, "auto"};
    const auto algorithms = collectives::algorithms(static_cast<Kind>(value / most_algorithms));
    return {name, std::string(algorithms[static_cast<std::size_t>(value % most_algorithms)].name)};
}

mpi::Wording cost_wording(std::size_t i, std::int64_t value) {
    constexpr const char* names[] = {"carpool_alpha", "carpool_beta", "carpool_sigma",
                                     "carpool_ports"};
    return {std::string(names[i]) + " in info or environment",
            i < 3 ? call::text_of_cost(value) : std::to_string(value)};
}

mpi::Wording other_wording(std::size_t i, std::int64_t value) {
    constexpr const char* names[] = {"carpool_measure", "carpool_segment", "carpool_check",
                                     "carpool_site", "carpool_digits"};
    const auto* const name = names[std::min(i, std::size(names) - 1)];
    if (i == 3) return {std::string(name) + " in info or environment", call::text_of_site(value)};
    return {std::string(name) + " in info or environment", std::to_string(value)};
}

}  // namespace

Settings Settings::of(Kind kind, MPI_Info info) {
    Settings settings{call::Tuning::of_this_mpi()};
    settings.model = mpi::is_open_mpi() ? cheap_messages : dear_messages;
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
    auto rest = routing::numbers_of(digits);
    rest.insert(rest.begin(), {measure ? 1 : 0, segment, static_cast<std::int64_t>(check), site});
    return {{"carpool_algorithm", {number_of(algorithm)}, {}, algorithm_wording},
            {"carpool_alpha, carpool_beta, carpool_sigma, carpool_ports",
             {std::bit_cast<std::int64_t>(model.alpha), std::bit_cast<std::int64_t>(model.beta),
              std::bit_cast<std::int64_t>(model.sigma), model.ports},
             {},
             cost_wording},
            {"carpool_measure, carpool_segment, carpool_check, carpool_site, carpool_digits",
             std::move(rest),
             {},
             other_wording}};
}

}  // namespace carpool::group
