#include "routing/delivery.hpp"

#include <algorithm>
#include <limits>

namespace carpool::routing {
namespace {

int label_of(const topology::Edge& edge, Pattern pattern) {
    return pattern == Pattern::alltoall ? edge.label : one_for_all;
}

}  // namespace

Destinations::Destinations(const GraphView& view, Pattern pattern) : rank_(view.rank) {
    const auto& in = view.edges->in;
    for (std::size_t i = 0; i < in.size(); ++i)
        if (in[i].peer != topology::no_rank)
            places_.push_back({{in[i].peer, label_of(in[i], pattern)}, static_cast<int>(i)});
    std::sort(places_.begin(), places_.end());
}

void Destinations::deliver(Itinerary& itinerary, int stop, const BlockName& block) const {
    constexpr int least = std::numeric_limits<int>::min();
    auto place = std::lower_bound(places_.begin(), places_.end(), Place{block, least});
    for (; place != places_.end() && place->block == block; ++place)
        itinerary.deliver(stop, place->position);
}

std::vector<BlockName> Destinations::expected() const {
    std::vector<BlockName> blocks;
    for (const auto& place : places_)
        if (place.block.origin != rank_ && (blocks.empty() || blocks.back() != place.block))
            blocks.push_back(place.block);
    return blocks;
}

std::vector<Consignment> blocks_to_send(const GraphView& view, Pattern pattern) {
    std::vector<Consignment> blocks;
    const auto& out = view.edges->out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i].peer == topology::no_rank || out[i].peer == view.rank) continue;
        const int stop = pattern == Pattern::alltoall ? static_cast<int>(i) : 0;
        blocks.push_back({{view.rank, label_of(out[i], pattern)}, stop, out[i].peer});
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
}

Itinerary started_itinerary(const GraphView& view, Pattern pattern) {
    const auto& out = view.edges->out;
    const bool one = pattern == Pattern::allgather;
    Itinerary itinerary(one ? 1 : static_cast<int>(out.size()));
    const Destinations destinations(view, pattern);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i].peer != view.rank) continue;
        destinations.deliver(itinerary, one ? 0 : static_cast<int>(i),
                             {view.rank, label_of(out[i], pattern)});
        if (one) break;
    }
    return itinerary;
}

}  // namespace carpool::routing
