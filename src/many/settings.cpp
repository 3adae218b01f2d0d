#include "many/settings.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

namespace carpool::many {
namespace {

Settings::Rule rule_named(const std::string& name) {
    if (name == "direct") return Settings::Rule::direct;
    if (name == "digits") return Settings::Rule::digits;
    if (name != "auto") call::refuse("carpool_exchange", name, "direct, digits or auto");
    return Settings::Rule::automatic;
}

int bits_of(int ranks) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

}  // namespace

Settings Settings::from_environment(int ranks) {
    Settings settings{call::Tuning::of_this_mpi()};
    const auto lookup = call::in_environment();
    settings.take(lookup);
    if (const auto v = lookup("carpool_exchange")) settings.rule = rule_named(*v);
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
        {static_cast<std::int64_t>(rule), std::bit_cast<std::int64_t>(model.alpha),
         std::bit_cast<std::int64_t>(model.beta), std::bit_cast<std::int64_t>(model.sigma)});
    return {"carpool_exchange, carpool_alpha, carpool_beta, carpool_sigma, carpool_digits",
            std::move(values)};
}

/// One message for each partner, whatever there is to send.
double Settings::cost_of_digits(const std::vector<int>& factors, const Account& account) const {
    const auto phases = static_cast<double>(factors.size());
    const double messages = std::accumulate(factors.begin(), factors.end(), 0.0) - phases;
    return messages * model.alpha + phases * model.sigma +
           routing::mean_hops(factors) * static_cast<double>(account.flow) * model.beta;
}

/// The messages, and an agreement up and down a tree.
double Settings::cost_of_direct(const Account& account, int ranks) const {
    const double agreement = 2 * (bits_of(ranks) * model.alpha + model.sigma);
    return static_cast<double>(account.degree) * model.alpha + model.sigma +
           static_cast<double>(account.flow) * model.beta + agreement;
}

/// Longer parcels cost more by the hops beyond the first than by a message of their own.
Way Settings::by_digits(std::vector<int> factors) const {
    constexpr double least_gain = 0.5;
    const double hops = std::max(least_gain, routing::mean_hops(factors) - 1);
    const double longest = std::min(model.alpha / (model.beta * hops), 1e18);
    return {std::move(factors), static_cast<std::int64_t>(longest)};
}

Way Settings::way_for(const Account& account, int ranks) const {
    Way direct = by_digits({});
    if (rule == Rule::direct || ranks == 1) return direct;
    if (rule == Rule::digits) return by_digits(digits.of(ranks));
    Way best = std::move(direct);
    double least = cost_of_direct(account, ranks);
    for (int count = 1; count <= bits_of(ranks); ++count) {
        auto factors = routing::near_equal_factors(ranks, count);
        if (const double cost = cost_of_digits(factors, account); cost < least) {
            least = cost;
            best = by_digits(std::move(factors));
        }
    }
    return best;
}

}  // namespace carpool::many
