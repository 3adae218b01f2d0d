// SPDX-License-Identifier: MIT
#include "neighbor/unsized_route.hpp"

#include "agree/mean_block.hpp"
#include "choose/cheapest.hpp"
#include "neighbor/candidate.hpp"
#include "schedule/length_headers.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace carpool::neighbor {
namespace {

/// The sizes of the blocks that this rank sends, without those for missing neighbors.
std::vector<std::int64_t> sizes_sent(const EdgeEnds& ends) {
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < ends.sent.size(); ++i)
        if (ends.edges->out[i].peer != topology::no_rank) sizes.push_back(ends.sent[i]);
    return sizes;
}

/// @param mean  the mean bytes of a block
UnsizedRoute best_unsized_route(const Topology& topology, const NeighborSettings& settings,
                                schedule::Operation operation, std::int64_t mean) {
    constexpr std::int64_t length_header_bytes = sizeof(schedule::LengthHeaderEntry);
    const auto machine = settings.machine();
    const auto load = [&](const RuleCandidate& way, std::int64_t bytes) {
        if (way.phases() > 1) bytes += length_header_bytes;
        return load_of(way, std::span(&bytes, 1), machine);
    };
    const auto keys = keys_to_compare(topology, settings, operation);
    std::vector<choose::Candidate> ways;
    for (const auto& key : keys)
        ways.push_back({[&] { return load(candidate_of(topology, key, operation), mean); }});
    const auto best = choose::cheapest(machine, ways);
    const auto straight = load(direct_candidate(topology, operation), mean);
    return {keys[best.number],
            choose::longest_riding(settings.model, best.load.blocks(), straight.blocks())};
}

}  // namespace

engine::Steps<UnsizedRoute> unsized_route_for(const Topology& topology, NeighborSettings settings,
                                              schedule::Operation operation, EdgeEnds ends,
                                              int tag) {
    const auto sent = sizes_sent(ends);
    const auto mean = co_await agree::mean_block(*topology.state(), tag, sent);
    co_return best_unsized_route(topology, settings, operation, mean);
}

}  // namespace carpool::neighbor
