// SPDX-License-Identifier: MIT
// The protocol of messages, multicasts, staging buffers and counting barriers alone, under
// ThreadSanitizer: runs on a few cores do not show errors that weak memory could cause. Compiled
// with ThreadSanitizer, separately from all other tests.

#include "barrier_traffic.hpp"
#include "endpoint_traffic.hpp"
#include "multicast_traffic.hpp"
#include "staging_traffic.hpp"

#include <cstdio>

int main() {
    const auto seed = first_seed();
    std::printf("CARPOOL_SEED=%llu\n", static_cast<unsigned long long>(seed));
    for (std::uint64_t i = 0; i < 5; ++i)
        if (EndpointTraffic(seed + i).run(1000) != 0 || StagingTraffic(seed + i).run(300) != 0 ||
            MulticastTraffic(seed + i).run(1000) != 0 || BarrierTraffic(seed + i).run(3, 300) != 0)
            return 1;
    return 0;
}
