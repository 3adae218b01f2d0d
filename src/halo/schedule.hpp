#pragma once

#include "halo/transfers.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <span>

namespace carpool::halo {

/// Transfers as a schedule: send slot i is what transfer i sends, which may have to be awaited,
/// receive slot i what it receives. What a rank sends to itself is a copy.
schedule::Schedule schedule_of(std::span<const BoxTransfer> transfers, int rank,
                               std::int64_t bytes_per_cell);

}  // namespace carpool::halo
