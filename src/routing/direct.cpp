// SPDX-License-Identifier: MIT
#include "routing/rule.hpp"

#include "routing/axis.hpp"
#include "routing/destinations.hpp"
#include "routing/partition.hpp"

#include <span>

namespace carpool::routing {
namespace {

/// Neighbors with the same offset share a message, in the order of their first appearance.
Partition by_offset(const topology::Neighborhood& neighborhood) {
    auto partition = Partition::whole(neighborhood.size());
    for (int k = 0; k < neighborhood.dimensions(); ++k)
        partition = partition.refined(axis_of(neighborhood, k));
    return partition;
}

/// Adds the message to all neighbors with one offset; the zero offset needs none.
void visit(Plan& plan, const topology::Neighborhood& neighborhood, Pattern pattern,
           std::span<const int> members) {
    const auto offset = neighborhood[members.front()];
    const bool stays = topology::is_zero(offset);
    if (!stays) plan.add_round(0, offset);
    int stop = 0;
    for (const int neighbor : members) {
        const bool first = neighbor == members.front();
        const int origin = pattern == Pattern::alltoall ? neighbor : 0;
        if (stays)
            stop = origin;
        else if (pattern == Pattern::alltoall || first)
            stop = plan.add_move(origin);
        plan.deliver(stop, neighbor);
    }
}

Plan plan(const topology::Grid&, const topology::Neighborhood& neighborhood, Pattern pattern) {
    Plan plan(neighborhood.dimensions(), pattern == Pattern::alltoall ? neighborhood.size() : 1);
    const auto partition = by_offset(neighborhood);
    const auto neighbors = partition.neighbors_by_class();
    for (std::size_t begin = 0, end = 0; begin < neighbors.size(); begin = end) {
        while (end < neighbors.size() &&
               partition.class_of(neighbors[end]) == partition.class_of(neighbors[begin]))
            ++end;
        visit(plan, neighborhood, pattern, std::span(neighbors).subspan(begin, end - begin));
    }
    return plan;
}

/// Sends every block in the single message to its target. Both ends list blocks by their labels.
Program<Itinerary> route(GraphView view, Pattern pattern) {
    Itinerary itinerary = started_itinerary(view, pattern);
    const Destinations destinations(view, pattern);
    for (const auto& [block, stop, target] : blocks_to_send(view, pattern))
        itinerary.send(0, target, stop);
    for (const auto& [block, bytes] : destinations.expected()) {
        const int stop = itinerary.receive(0, block.origin, block.label);
        itinerary.weigh(stop, bytes);
        destinations.deliver(itinerary, stop, block);
    }
    itinerary.sort();
    co_return itinerary;
}

}  // namespace

const Rule direct{
    .name = "direct",
    .summary = "one message straight to each rank that gets blocks",
    .automatic = true,
    .plan = plan,
    .route = route,
};

}  // namespace carpool::routing
