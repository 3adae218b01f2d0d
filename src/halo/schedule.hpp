// SPDX-License-Identifier: MIT
#pragma once

#include "halo/transfers.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <span>

namespace carpool::halo {

/// The transfers as a schedule: send slot i is what transfer i sends, which may have to wait for
/// earlier transfers, and receive slot i is what it receives. A message from a rank to itself is a
/// copy.
schedule::Schedule schedule_of(std::span<const BoxTransfer> transfers, int rank,
                               std::int64_t bytes_per_cell);

}  // namespace carpool::halo
