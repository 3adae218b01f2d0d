// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

#include <cstdint>
#include <span>

namespace carpool::schedule {

/// The schedule of one rank for several exchanges at once ([2] §3.4). Their messages from one rank
/// to another in one phase become one message, except those longer than `longest`.
///
/// Slots of the second exchange are numbered after those of the first, and so on; operators
/// likewise.
/// @pre all ranks merge the same exchanges in the same order; both ends of a message put it into
/// the same phase; no message has a length header or is a rendezvous message
Schedule merged(std::span<const Schedule* const> schedules, std::int64_t longest);

}  // namespace carpool::schedule
