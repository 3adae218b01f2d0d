#include "sparse/settings.hpp"

#include <string>
#include <utility>

namespace carpool::sparse {
namespace {

std::optional<Strategy::Kind> kind_named(const call::Setting& setting) {
    const auto& name = setting.text;
    if (name == "direct") return Strategy::Kind::direct;
    if (name == "digits") return Strategy::Kind::digits;
    if (name == "star") return Strategy::Kind::star;
    if (name != "auto") call::refuse(setting, "direct, digits, star or auto");
    return std::nullopt;
}

constexpr const char* in_environment = "in the environment";

/// Of a kind's number, or -1.
std::string kind_name(std::int64_t number) {
    constexpr const char* names[] = {"auto", "direct", "digits", "star"};
    return names[number + 1];
}

}  // namespace

Settings Settings::from_environment(int ranks) {
    Settings settings{call::Tuning::of_this_mpi(choose::Work::exchanges)};
    const auto lookup = call::in_environment();
    settings.take(lookup);
    if (const auto v = lookup("carpool_sparse_exchange")) settings.kind = kind_named(*v);
    if (const auto v = lookup("carpool_digits")) {
        settings.digits = call::digits(*v);
        call::check_digits(settings.digits, v->source, ranks);
    }
    return settings;
}

mpi::Claim Settings::claim() const {
    std::vector<call::ClaimedSetting> settings{{"carpool_sparse_exchange", in_environment,
                                                kind ? static_cast<std::int64_t>(*kind) : -1,
                                                kind_name}};
    const auto costs = claimed_costs(in_environment);
    settings.insert(settings.end(), costs.begin(), costs.end());
    call::add_digits(settings, in_environment, digits);
    return call::claim_of(std::move(settings));
}

std::vector<Strategy> Settings::strategies(const choose::Machine& machine, int ranks) const {
    if (ranks == 1 || kind == Strategy::Kind::direct) return {direct_strategy()};
    if (kind == Strategy::Kind::digits) return {digit_strategy(machine, digits.of(ranks))};
    if (kind == Strategy::Kind::star)
        return {star_strategy(model, ranks / machine.ranks_per_core())};
    return sparse::strategies(machine, ranks);
}

}  // namespace carpool::sparse
