#include "neighbor/unsized_route.hpp"

#include "agree/joint_numbers.hpp"
#include "choose/cheapest.hpp"
#include "neighbor/candidate.hpp"
#include "schedule/length_headers.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace carpool::neighbor {
namespace {

/// The number of blocks that this rank sends, and their bytes. Long blocks, which will be sent by
/// themselves, count only in part, so that a few of them do not hide that most blocks are short.
std::vector<std::int64_t> blocks_and_bytes(const EdgeEnds& ends) {
    constexpr std::int64_t most = 4096;
    std::int64_t blocks = 0;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < ends.sent.size(); ++i) {
        if (ends.edges->out[i].peer == topology::no_rank) continue;
        ++blocks;
        bytes += std::min(most, ends.sent[i]);
    }
    return {blocks, bytes};
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
    agree::JointNumbers joint(*topology.state(), tag, blocks_and_bytes(ends), MPI_SUM);
    co_await engine::until(joint);
    const auto& all = joint.result();
    const auto mean = all[1] / std::max<std::int64_t>(1, all[0]);
    co_return best_unsized_route(topology, settings, operation, mean);
}

}  // namespace carpool::neighbor
