// SPDX-License-Identifier: MIT
#include "choose/graph_load.hpp"

#include <utility>

namespace carpool::choose {

GraphLoad::GraphLoad(const std::shared_ptr<const topology::Nodes>& nodes)
    : machine_(Machine::counting(nodes)),
      out_(nodes ? static_cast<std::size_t>(nodes->count()) : 0),
      in_(out_.size()) {}

Load GraphLoad::add(int rank, const routing::Itinerary& itinerary, const MessageBytes* bytes) {
    auto load = load_of(itinerary, rank, machine_, bytes);
    busiest_ = most(busiest_, load);
    if (!machine_.nodes()) return load;
    const auto node = static_cast<std::size_t>(machine_.nodes()->node(rank));
    out_[node] += load.sent[index_of(Level::network)];
    in_[node] += load.received[index_of(Level::network)];
    return load;
}

Load GraphLoad::of_busiest() const {
    auto load = busiest_;
    for (const auto* const adapters : {&out_, &in_})
        for (const auto& adapter : *adapters) load.adapter = most(load.adapter, adapter);
    return load;
}

}  // namespace carpool::choose
