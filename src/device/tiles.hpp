// SPDX-License-Identifier: MIT
#pragma once

#include "device/copy_kernel.hpp"
#include "device/strip.hpp"

#include <span>
#include <vector>

namespace carpool::device {

/// The tiles of which these copies consist, none much longer than 4 KiB, so that all threads of a
/// GPU have about as much to do.
std::vector<Tile> tiles_of(std::span<const Strip> strips);

}  // namespace carpool::device
