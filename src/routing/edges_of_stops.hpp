// SPDX-License-Identifier: MIT
#pragma once

#include "routing/itinerary.hpp"

#include <span>
#include <vector>

namespace carpool::routing {

/// For each rank and each of its stops, the edge whose block rests there. Edges are numbered rank
/// by rank, in the order of their blocks.
/// @param routes  of all ranks, for an alltoall
std::vector<std::vector<int>> edges_of_stops(std::span<const Itinerary> routes);

/// The message that a rank sends, as its peer receives it.
/// @param receives  the messages that its peer receives
const Itinerary::CombinedMessage& arrival_of(const Itinerary::CombinedMessage& sent, int sender,
                                             std::span<const Itinerary::CombinedMessage> receives);

}  // namespace carpool::routing
