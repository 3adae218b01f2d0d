// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace carpool::base {

/// Returns another number at each call, which no other process is likely to have drawn. Local.
std::uint64_t unique_id();

}  // namespace carpool::base
