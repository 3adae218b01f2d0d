// SPDX-License-Identifier: MIT
#pragma once

#include "shared/shared_segment.hpp"

#include <cstdint>
#include <span>

namespace carpool::shared {

/// What a process tells all others of itself, in 8 bytes: its node, and in the last bit whether it
/// shares memory. Two nodes may have the same name by chance; then processes of one fail to attach
/// those of the other, as may happen within a node.
std::uint64_t node_name(const ProcessAddress& address);

/// Equal on all processes of a node.
inline std::uint64_t node_in(std::uint64_t name) { return name >> 1; }

inline bool tells_of_memory(std::uint64_t name) { return (name & 1) != 0; }

/// Are there two processes on one node that both share memory?
bool any_two_share(std::span<const std::uint64_t> names);

}  // namespace carpool::shared
