// SPDX-License-Identifier: MIT
#pragma once

#include "engine/steps.hpp"
#include "mpi/comm/comm_state.hpp"

#include <cstdint>
#include <span>

namespace carpool::agree {

/// The mean bytes of all blocks of a call whose sizes only their two ends know. Long blocks count
/// in part: they will travel by themselves, and a few of them must not hide that most are short.
/// @param tag   in use only until the end
/// @param sent  the sizes of the blocks that this rank sends
/// @pre the state is ready, and outlives the steps
/// @note Collective
engine::Steps<std::int64_t> mean_block(const mpi::CommState& state, int tag,
                                       std::span<const std::int64_t> sent);

}  // namespace carpool::agree
