// SPDX-License-Identifier: MIT
#include "engine/transports.hpp"

#include "base/expects.hpp"

namespace carpool::engine {

Transports::Way Transports::way_to(int peer, bool synchronous) const {
    for (std::size_t number = 0; number < list_.size(); ++number) {
        const auto reach = list_[number]->reach(peer);
        if (reach && (!synchronous || reach->tells_ack)) return {number, *reach};
    }
    [[maybe_unused]] constexpr bool reached = false;
    CARPOOL_EXPECTS(reached, rank_, peer, list_.size());
    return {};
}

}  // namespace carpool::engine
