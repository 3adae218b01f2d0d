// SPDX-License-Identifier: MIT
#pragma once

#include "agree/typed_memory.hpp"
#include "engine/bind.hpp"
#include "ghosts/ghost_map.hpp"
#include "neighbor/ghosts/ghost_call.hpp"
#include "schedule/schedule.hpp"

namespace carpool::neighbor {

/// The user's memory for an update: the blocks of schedule::place_sized(), field by field.
engine::Buffers buffers_of_update(const ghosts::GhostMap& map, const CheckedGhostCall& call);

/// The user's memory for a reduction: the blocks of schedule::place_reduction(), field by field.
/// @param schedule  of all fields
/// @param temps     is given the memory of temporary slots
engine::Buffers buffers_of_reduction(const ghosts::GhostMap& map, const CheckedGhostCall& call,
                                     const schedule::Schedule& schedule, agree::TypedMemory& temps);

/// Moves the blocks of a call to the arrays of another one of the same form.
void move_blocks(engine::Buffers& buffers, const ghosts::GhostMap& map,
                 const CheckedGhostCall& call);

}  // namespace carpool::neighbor
