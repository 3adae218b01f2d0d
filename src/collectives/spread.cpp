#include "collectives/spread.hpp"

namespace carpool::collectives {

Parts sum_spread(Script& script, const Parts& own) {
    auto summands = own;
    const auto& mine = own[static_cast<std::size_t>(script.rank())];
    for (int distance = 1; distance < script.ranks(); ++distance) {
        const int to = script.away(distance);
        const int from = script.away(-distance);
        const auto arrived = script.temp_like(mine);
        script.send(0, to, {own[static_cast<std::size_t>(to)]});
        script.receive(0, from, {arrived});
        summands[static_cast<std::size_t>(from)] = arrived;
    }
    script.pass(1);
    return summands;
}

void spread_to_all(Script& script, const Part& own) {
    const Parts to_each(static_cast<std::size_t>(script.ranks()), own);
    script.conclude(sum_spread(script, to_each), script.result());
}

}  // namespace carpool::collectives
