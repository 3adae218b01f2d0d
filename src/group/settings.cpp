#include "group/settings.hpp"

#include "mpi/library.hpp"

#include <bit>
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

const collectives::Algorithm* algorithm_named(Kind kind, const std::string& key,
                                              const std::string& name) {
    if (name == "auto") return nullptr;
    if (const auto* found = collectives::find_algorithm(kind, name)) return found;
    std::string names;
    for (const auto& algorithm : collectives::algorithms(kind))
        names += std::string(algorithm.name) + ", ";
    call::refuse(key, name, names + "or auto");
}

void take_common(Settings& settings, const Lookup& lookup) {
    settings.take(lookup);
    if (const auto v = lookup("carpool_digits"))
        settings.digits = call::digits("carpool_digits", *v);
    if (const auto v = lookup("carpool_segment"))
        settings.segment = call::positive("carpool_segment", *v, "bytes of a piece");
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
    if (const auto v = environment(key)) settings.preferred = algorithm_named(kind, key, *v);
    if (const auto v = given("carpool_algorithm"))
        settings.algorithm = algorithm_named(kind, "carpool_algorithm", *v);
    return settings;
}

void Settings::prefer_for(const collectives::Problem& problem) {
    if (algorithm == nullptr && preferred != nullptr && preferred->applies(problem))
        algorithm = preferred;
}

std::vector<mpi::Claim> Settings::claims() const {
    const auto number_of = [](const collectives::Algorithm* asked) {
        return asked != nullptr ? asked - collectives::algorithms(asked->kind).data() : -1;
    };
    auto rest = routing::numbers_of(digits);
    rest.insert(rest.begin(), {measure ? 1 : 0, segment, static_cast<std::int64_t>(check)});
    return {{"carpool_algorithm (its number)", {number_of(algorithm), number_of(preferred)}},
            {"carpool_alpha, carpool_beta, carpool_sigma (as bits)",
             {std::bit_cast<std::int64_t>(model.alpha), std::bit_cast<std::int64_t>(model.beta),
              std::bit_cast<std::int64_t>(model.sigma)}},
            {"carpool_measure, carpool_segment, carpool_check, carpool_digits", std::move(rest)}};
}

}  // namespace carpool::group
