#include "neighbor/intent.hpp"

#include "mpi/oversubscription.hpp"

#include <span>
#include <utility>

namespace carpool::neighbor {
namespace {

void add_sizes(mpi::Extremes& sizes, std::span<const topology::Edge> edges,
               std::span<const std::int64_t> bytes) {
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].peer != topology::no_rank) sizes.add(bytes[i]);
}

mpi::Extremes sizes_at(const EdgeEnds& ends) {
    mpi::Extremes sizes;
    add_sizes(sizes, ends.edges->out, ends.sent);
    add_sizes(sizes, ends.edges->in, ends.received);
    return sizes;
}

}  // namespace

const Call& call_of(const Intent& intent) {
    return intent.planned ? intent.planned->call : *intent.call;
}

bool sizes_by_edge(const Intent& intent) {
    return !intent.topology->definition().declared && !schedule::reduces(call_of(intent).operation);
}

EdgeEnds ends_of(const Intent& intent) {
    const auto& topology = *intent.topology;
    const auto& call = call_of(intent);
    auto sent = bytes_sent(call);
    if (schedule::sends_one_block(call.operation))
        sent.assign(static_cast<std::size_t>(topology.outdegree()), sent.front());
    return {topology.rank(), &topology.edges(), std::move(sent), bytes_received(call)};
}

mpi::Extremes sizes_of(const Intent& intent) { return sizes_at(ends_of(intent)); }

std::vector<mpi::Claim> claims_of(const Intent& intent) {
    if (intent.mistake) return {};
    const auto& call = call_of(intent);
    return {{"collective operation", {static_cast<std::int64_t>(call.operation)}},
            {"commutativity of op", {call.in_order ? 0 : 1}},
            intent.settings.claim(),
            call.block_bytes};
}

mpi::Tally tally_of(const Intent& intent) {
    mpi::Tally tally;
    tally.oversubscription.add(mpi::oversubscription());
    if (intent.mistake || !sizes_by_edge(intent)) return tally;
    const auto ends = ends_of(intent);
    tally.bytes = sizes_at(ends);
    tally.balance = balance(ends);
    tally.entry.add(intent.planned ? intent.planned->agreed.entry : -1);
    return tally;
}

}  // namespace carpool::neighbor
