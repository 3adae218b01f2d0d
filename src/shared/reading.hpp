#pragma once

#include "shared/endpoint.hpp"

#include <cstdint>

namespace carpool::shared {

/// The reading of a message by a endpoint: what the message tells of is to stay until then.
struct Reading {
    const Endpoint* endpoint;
    std::uint64_t number;  ///< of the message, 0 for none
    bool multicast = false;

    bool ended() const {
        return number == 0 ||
               (multicast ? endpoint->has_read_multicast(number) : endpoint->has_read(number));
    }
};

}  // namespace carpool::shared
