// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/resized.hpp"
#include "schedule/schedule.hpp"
#include "topology/graph.hpp"

#include <cstdint>
#include <vector>

namespace carpool::schedule {

/// The blocks of one rank that are longer than `longest`, each in a message from its source to its
/// target, all in one phase. Several messages between two ranks are in the order of the labels of
/// their edges.
/// @param own  sizes of this rank's blocks; a single send block goes along all edges
/// @param rendezvous  as in Message
std::vector<Round> rounds_of_long_blocks(const topology::Adjacency& edges, int rank,
                                         const SlotBytes& own, std::int64_t longest, int phase,
                                         bool rendezvous);

}  // namespace carpool::schedule
