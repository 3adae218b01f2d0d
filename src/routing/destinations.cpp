// SPDX-License-Identifier: MIT
#include "routing/destinations.hpp"

#include <algorithm>
#include <limits>

namespace carpool::routing {
namespace {

int label_of(const topology::Edge& edge, Pattern pattern) {
    return pattern == Pattern::allgather ? one_for_all : edge.label;
}

/// The stop at which the block of edge i rests on its origin.
int stop_of(const topology::Edge& edge, std::size_t i, Pattern pattern) {
    if (pattern == Pattern::alltoall) return static_cast<int>(i);
    return pattern == Pattern::allgather ? 0 : edge.label;
}

int blocks_of(const std::vector<topology::Edge>& out, Pattern pattern) {
    if (pattern == Pattern::alltoall) return static_cast<int>(out.size());
    if (pattern == Pattern::allgather) return 1;
    int blocks = 0;
    for (const auto& edge : out) blocks = std::max(blocks, edge.label + 1);
    return blocks;
}

/// Does the edge exist, with a block that is not known to be empty?
bool counts(const topology::Edge& edge, const std::vector<std::int64_t>* bytes, std::size_t i) {
    return edge.peer != topology::no_rank && (bytes == nullptr || (*bytes)[i] > 0);
}

}  // namespace

Destinations::Destinations(const GraphView& view, Pattern pattern) : rank_(view.rank) {
    const auto& in = view.edges->in;
    const auto* bytes = view.bytes != nullptr ? &view.bytes->in : nullptr;
    for (std::size_t i = 0; i < in.size(); ++i)
        if (counts(in[i], bytes, i))
            wanted_.push_back({{in[i].peer, label_of(in[i], pattern)},
                               static_cast<int>(i),
                               bytes != nullptr ? (*bytes)[i] : 0});
    std::sort(wanted_.begin(), wanted_.end());
}

void Destinations::deliver(Itinerary& itinerary, int stop, const BlockName& block) const {
    constexpr int least = std::numeric_limits<int>::min();
    auto place = std::lower_bound(wanted_.begin(), wanted_.end(), WantedBlock{block, least, 0});
    for (; place != wanted_.end() && place->block == block; ++place)
        itinerary.deliver(stop, place->position);
}

std::vector<Destinations::ExpectedBlock> Destinations::expected() const {
    std::vector<ExpectedBlock> blocks;
    for (const auto& place : wanted_)
        if (place.block.origin != rank_ && (blocks.empty() || blocks.back().block != place.block))
            blocks.push_back({place.block, place.bytes});
    return blocks;
}

std::vector<OutgoingBlock> blocks_to_send(const GraphView& view, Pattern pattern) {
    std::vector<OutgoingBlock> blocks;
    const auto& out = view.edges->out;
    const auto* bytes = view.bytes != nullptr ? &view.bytes->out : nullptr;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i].peer == view.rank || !counts(out[i], bytes, i)) continue;
        blocks.push_back(
            {{view.rank, label_of(out[i], pattern)}, stop_of(out[i], i, pattern), out[i].peer});
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

Itinerary started_itinerary(const GraphView& view, Pattern pattern) {
    const auto& out = view.edges->out;
    const bool one = pattern == Pattern::allgather;
    Itinerary itinerary(blocks_of(out, pattern));
    const Destinations destinations(view, pattern);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const int stop = stop_of(out[i], i, pattern);
        if (!one) itinerary.name(stop, out[i].label);
        if (view.bytes != nullptr && !one) itinerary.weigh(stop, view.bytes->out[i]);
        if (out[i].peer != view.rank) continue;
        destinations.deliver(itinerary, stop, {view.rank, label_of(out[i], pattern)});
        if (one) break;
    }
    return itinerary;
}

}  // namespace carpool::routing
