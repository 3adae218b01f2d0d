#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace carpool::many {

/// Memory that a message came in, or a part of one.
using Memory = std::unique_ptr<std::byte[]>;

/// A parcel that has arrived.
struct Arrival {
    int source;
    int order;  ///< in the list of its source
    std::int64_t bytes;
    const std::byte* data;
};

/// All that has arrived for a rank in one exchange, and the memory where it lies.
struct Delivery {
    std::vector<Arrival> arrivals;  ///< by source, then order
    std::vector<Memory> memory;
};

}  // namespace carpool::many
