#include "group/settings.hpp"

#include <bit>
#include <string>

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

void take_all(Settings& settings, Kind kind, const Lookup& lookup,
              const std::string& algorithm_key) {
    settings.take(lookup);
    if (const auto v = lookup(algorithm_key))
        settings.algorithm = algorithm_named(kind, algorithm_key, *v);
    if (const auto v = lookup("carpool_measure"))
        settings.measure = call::truth("carpool_measure", *v);
    if (const auto v = lookup("carpool_segment"))
        settings.segment = call::positive("carpool_segment", *v, "bytes of a piece");
}

}  // namespace

Settings Settings::of(Kind kind, MPI_Info info) {
    Settings settings{call::Tuning::of_this_mpi()};
    settings.model = call::is_open_mpi() ? cheap_messages : dear_messages;
    // CARPOOL_ALGORITHM is the rule of neighborhoods, which these know nothing of
    take_all(settings, kind, call::in_environment(), "carpool_" + std::string(name_of(kind)));
    take_all(settings, kind, call::in_info(info), "carpool_algorithm");
    return settings;
}

mpi::Claim Settings::claim() const {
    std::int64_t number = -1;
    if (algorithm != nullptr) number = algorithm - collectives::algorithms(algorithm->kind).data();
    return {
        "carpool_algorithm, carpool_alpha, carpool_beta, carpool_sigma, carpool_measure, "
        "carpool_segment",
        {number, std::bit_cast<std::int64_t>(model.alpha), std::bit_cast<std::int64_t>(model.beta),
         std::bit_cast<std::int64_t>(model.sigma), measure ? 1 : 0, segment}};
}

}  // namespace carpool::group
