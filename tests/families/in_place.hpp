// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"

namespace families {

/// The schedule of a rank whose own block is in one place: receive slot `received` is the memory of
/// send slot `sent`. The block is not copied there, and whoever reads the receive slot reads the
/// send slot; so a verified schedule writes neither.
carpool::schedule::Schedule in_place(carpool::schedule::Schedule schedule, int sent, int received);

}  // namespace families
