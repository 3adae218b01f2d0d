#include "sparse/settings.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
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

/// Of the values that claim() makes.
mpi::Wording wording(std::size_t i, std::int64_t value) {
    constexpr const char* keys[] = {"carpool_sparse_exchange", "carpool_alpha", "carpool_beta",
                                    "carpool_sigma",           "carpool_ports", "carpool_digits"};
    constexpr const char* strategies[] = {"auto", "direct", "digits", "star"};
    const auto name = keys[std::min(i, std::size(keys) - 1)] + std::string(" in the environment");
    if (i == 0) return {name, strategies[value + 1]};
    return {name, i < 4 ? call::text_of_cost(value) : std::to_string(value)};
}

}  // namespace

Settings Settings::from_environment(int ranks) {
    Settings settings{call::Tuning::of_this_mpi()};
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
    auto values = routing::numbers_of(digits);
    values.insert(values.begin(), {kind ? static_cast<std::int64_t>(*kind) : -1,
                                   std::bit_cast<std::int64_t>(model.alpha),
                                   std::bit_cast<std::int64_t>(model.beta),
                                   std::bit_cast<std::int64_t>(model.sigma), model.ports});
    return {
        "carpool_sparse_exchange, carpool_alpha, carpool_beta, carpool_sigma, carpool_ports, "
        "carpool_digits",
        std::move(values),
        {},
        wording};
}

std::vector<Strategy> Settings::strategies(const choose::Machine& machine, int ranks) const {
    if (ranks == 1 || kind == Strategy::Kind::direct) return {direct_strategy()};
    if (kind == Strategy::Kind::digits) return {digit_strategy(model, digits.of(ranks))};
    if (kind == Strategy::Kind::star)
        return {star_strategy(model, ranks / machine.ranks_per_core())};
    return sparse::strategies(machine, ranks);
}

}  // namespace carpool::sparse
