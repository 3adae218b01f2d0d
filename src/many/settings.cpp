#include "many/settings.hpp"

#include <bit>
#include <string>
#include <utility>

namespace carpool::many {
namespace {

std::optional<Way::Kind> kind_named(const std::string& name) {
    if (name == "direct") return Way::Kind::direct;
    if (name == "digits") return Way::Kind::digits;
    if (name == "star") return Way::Kind::star;
    if (name != "auto") call::refuse("carpool_exchange", name, "direct, digits, star or auto");
    return std::nullopt;
}

}  // namespace

Settings Settings::from_environment(int ranks) {
    Settings settings{call::Tuning::of_this_mpi()};
    const auto lookup = call::in_environment();
    settings.take(lookup);
    if (const auto v = lookup("carpool_exchange")) settings.kind = kind_named(*v);
    if (const auto v = lookup("carpool_digits")) {
        settings.digits = call::digits("carpool_digits", *v);
        call::check_digits(settings.digits, ranks);
    }
    return settings;
}

mpi::Claim Settings::claim() const {
    auto values = routing::numbers_of(digits);
    values.insert(
        values.begin(),
        {kind ? static_cast<std::int64_t>(*kind) : -1, std::bit_cast<std::int64_t>(model.alpha),
         std::bit_cast<std::int64_t>(model.beta), std::bit_cast<std::int64_t>(model.sigma)});
    return {"carpool_exchange, carpool_alpha, carpool_beta, carpool_sigma, carpool_digits",
            std::move(values)};
}

Way Settings::way_for(const Account& account, int ranks, double ranks_per_core) const {
    if (ranks == 1 || kind == Way::Kind::direct) return straight_way();
    if (kind == Way::Kind::digits) return digit_way(model, digits.of(ranks));
    if (kind == Way::Kind::star) return star_way(model, ranks / ranks_per_core);
    return cheapest_way(model, account, ranks, ranks_per_core);
}

}  // namespace carpool::many
