#pragma once

#include "schedule/schedule.hpp"

#include <cstdint>
#include <span>

namespace carpool::schedule {

/// What one rank does in several exchanges at once ([2] §3.4). The messages of all of them that go
/// from one rank to another in one phase share a ride, unless they are longer than `longest`.
///
/// Slots of the second exchange are numbered behind those of the first, and so on; operators
/// likewise.
/// @pre all ranks merge the same exchanges in the same order; both ends of a message put it into
/// the same phase; none has a length header or is apart
Schedule merged(std::span<const Schedule* const> schedules, std::int64_t longest);

}  // namespace carpool::schedule
