// SPDX-License-Identifier: MIT
#include "collectives/ring.hpp"

namespace carpool::collectives {

Parts sum_round_ring(Script& script, const Parts& own) {
    const auto part = [&](int rank) { return own[static_cast<std::size_t>(rank)]; };
    Parts summands{part(script.away(-1))};
    for (int step = 0; step + 1 < script.ranks(); ++step) {
        const auto mine = part(script.away(-step - 2));
        const auto arrived = script.temp_like(mine);
        script.send(step, script.away(1), {script.sum(summands)});
        script.receive(step, script.away(-1), {arrived});
        summands = {arrived, mine};
    }
    script.pass(script.ranks() - 1);
    return summands;
}

void collect_round_ring(Script& script, const std::vector<Parts>& held) {
    const auto parts = [&](int rank) { return held[static_cast<std::size_t>(rank)]; };
    for (int step = 0; step + 1 < script.ranks(); ++step) {
        script.send(step, script.away(1), parts(script.away(-step)));
        script.receive(step, script.away(-1), parts(script.away(-step - 1)));
    }
    script.pass(script.ranks() - 1);
}

}  // namespace carpool::collectives
