#include "routing/digits.hpp"
#include "routing/route_by.hpp"
#include "routing/rule.hpp"
#include "routing/ways.hpp"

#include <vector>

namespace carpool::routing {
namespace {

Program<Itinerary> route(GraphView view, Pattern pattern) {
    return route_by(digit_ways(view.ranks, view.options.digits.of(view.ranks)), view, pattern);
}

}  // namespace

Ways digit_ways(int ranks, std::vector<int> factors) {
    const int phases = static_cast<int>(factors.size());
    return {phases, [ranks, digits = digits_of(factors)](int phase, int at, int target) {
                const auto& digit = digits[static_cast<std::size_t>(phase)];
                const int distance = target >= at ? target - at : target - at + ranks;
                const auto hop = digit.value(distance) * digit.weight;
                return static_cast<int>(hop < ranks - at ? at + hop : at + hop - ranks);
            }};
}

const Rule by_digits{
    .name = "digits",
    .summary = "one hop per digit of the distance in ranks, in digits of any factors",
    .automatic = true,
    .route = route,
    .writes_digits = true,
    .follows_ways = true,
};

}  // namespace carpool::routing
