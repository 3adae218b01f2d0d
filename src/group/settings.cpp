#include "group/settings.hpp"

#include "mpi/library.hpp"

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
constexpr choose::CostModel through_memory{0.4e-6, 7e-11, 6e-6};

choose::CostModel usual_model() { return mpi::is_open_mpi() ? cheap_messages : dear_messages; }

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
    Settings settings{call::Tuning::of_this_mpi()};
    settings.model = usual_model();
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

void Settings::heed(mpi::Reach reach) {
    auto usual = usual_model();
    usual.ports = model.ports;
    if (reach != mpi::Reach::memory || ways == engine::Ways::mpi || model != usual) return;
    model = through_memory;
    model.ports = usual.ports;
}

std::vector<mpi::Claim> Settings::claims() const {
    std::vector<call::ClaimedSetting> rest{claimed_ways(),
                                           claimed_measure(),
                                           {"carpool_segment", call::in_either, segment},
                                           claimed_check(),
                                           claimed_site()};
    call::add_digits(rest, call::in_either, digits);
    return {call::claim_of(
                {{"carpool_algorithm", call::in_either, number_of(algorithm), algorithm_name}}),
            call::claim_of(claimed_costs()), call::claim_of(std::move(rest))};
}

}  // namespace carpool::group
