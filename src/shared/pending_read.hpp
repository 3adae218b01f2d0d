// SPDX-License-Identifier: MIT
#pragma once

#include "shared/endpoint.hpp"

#include <cstdint>

namespace carpool::shared {

/// A read of one message by an endpoint. The memory that holds the content must not change before
/// it has ended.
struct PendingRead {
    const Endpoint* endpoint;
    std::uint64_t number;  ///< the number of the message; 0 for none
    bool multicast = false;

    bool ended() const {
        return number == 0 ||
               (multicast ? endpoint->has_read_multicast(number) : endpoint->has_read(number));
    }
};

}  // namespace carpool::shared
