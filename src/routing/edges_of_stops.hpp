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

/// The ride in which the ride that a rank sends arrives.
/// @param receives  the rides that its peer receives
const Itinerary::Ride& arrival_of(const Itinerary::Ride& sent, int sender,
                                  std::span<const Itinerary::Ride> receives);

}  // namespace carpool::routing
