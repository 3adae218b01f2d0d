// SPDX-License-Identifier: MIT
#pragma once

#include "message_loop.hpp"
#include "scene.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace bench {

/// The hops of the cartesian rule: along each dimension, each distinct nonzero coordinate.
inline std::vector<std::vector<int>> cartesian_hops(const Pattern& pattern) {
    std::set<std::vector<int>> hops;
    for (int i = 0; i < pattern.neighbors(); ++i)
        for (int k = 0; k < pattern.dimensions; ++k) {
            std::vector<int> hop(static_cast<std::size_t>(pattern.dimensions), 0);
            hop[Blocks::at(k)] = pattern.offset(i)[Blocks::at(k)];
            if (nonzeros(hop) > 0) hops.insert(std::move(hop));
        }
    return {hops.begin(), hops.end()};
}

/// `messages` persistent messages to the targets of the cartesian hops, `bytes` in all, outstanding
/// at once: no packing, and no phase waits for another. Hops to other ranks come first.
inline MessageLoop floor_loop(Scene& s, std::int64_t messages, std::int64_t bytes) {
    auto hops = cartesian_hops(s.what.pattern);
    std::ranges::stable_partition(
        hops, [&](const auto& hop) { return s.torus.target(s.rank, hop) != s.rank; });
    hops.resize(std::min(hops.size(), static_cast<std::size_t>(messages)));
    const auto each = hops.empty() ? 0 : bytes / static_cast<std::int64_t>(hops.size());

    MessageLoop loop(s.host.get());
    std::byte* out = loop.own_buffer(2 * static_cast<std::size_t>(each) * hops.size());
    std::byte* in = out + each * static_cast<std::int64_t>(hops.size());
    const auto place = [&](std::byte* start, int i) { return start + i * each; };
    for (int i = 0; i < static_cast<int>(hops.size()); ++i)
        loop.receive(place(in, i), static_cast<int>(each),
                     s.torus.source(s.rank, hops[Blocks::at(i)]), i);
    for (int i = 0; i < static_cast<int>(hops.size()); ++i)
        loop.send(place(out, i), static_cast<int>(each),
                  s.torus.target(s.rank, hops[Blocks::at(i)]), i);
    return loop;
}

}  // namespace bench
