// SPDX-License-Identifier: MIT
#include "sparse/settings.hpp"

#include <string>
#include <utility>

namespace carpool::sparse {
namespace {

std::optional<Strategy::Kind> kind_named(const arguments::Setting& setting) {
    using Kind = Strategy::Kind;
    for (const auto kind : {Kind::direct, Kind::digits, Kind::star})
        if (setting.text == name_of(kind)) return kind;
    if (setting.text != "auto") arguments::refuse(setting, "direct, digits, star or auto");
    return std::nullopt;
}

constexpr const char* in_environment = "in the environment";

constexpr std::int64_t any_kind = -1;

std::string kind_name(std::int64_t number) {
    return number == any_kind ? "auto" : name_of(static_cast<Strategy::Kind>(number));
}

}  // namespace

SparseSettings SparseSettings::from_environment(int ranks) {
    SparseSettings settings{arguments::Tuning::of_this_mpi(choose::MessageUse::exchanges)};
    const auto lookup = arguments::in_environment();
    settings.take(lookup);
    if (const auto v = lookup("carpool_sparse_exchange")) settings.kind = kind_named(*v);
    if (const auto v = lookup("carpool_digits")) {
        settings.digits = arguments::digits(*v);
        arguments::check_digits(settings.digits, v->source, ranks);
    }
    return settings;
}

arguments::Check SparseSettings::check_in_environment() {
    const auto given = arguments::in_environment()("carpool_check");
    return given && given->text == "all" ? arguments::Check::all : arguments::Check::local;
}

mpi::Claim SparseSettings::claim() const {
    std::vector<arguments::ClaimedSetting> settings{
        {"carpool_sparse_exchange", in_environment,
         kind ? static_cast<std::int64_t>(*kind) : any_kind, kind_name}};
    const auto costs = claimed_costs(in_environment);
    settings.insert(settings.end(), costs.begin(), costs.end());
    arguments::add_digits(settings, in_environment, digits);
    settings.push_back(claimed_check());
    return arguments::claim_of(std::move(settings));
}

std::vector<Strategy> SparseSettings::strategies(const choose::Machine& machine, int ranks) const {
    if (ranks == 1 || kind == Strategy::Kind::direct) return {direct_strategy()};
    if (kind == Strategy::Kind::digits) return {digit_strategy(machine, digits.of(ranks))};
    if (kind == Strategy::Kind::star)
        return {star_strategy(model, ranks / machine.ranks_per_core())};
    return sparse::strategies(machine, ranks);
}

}  // namespace carpool::sparse
