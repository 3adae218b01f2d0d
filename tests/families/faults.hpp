// SPDX-License-Identifier: MIT
#pragma once

#include "random_source.hpp"
#include "tally.hpp"

#include <span>
#include <string_view>

namespace families {

/// A way to break a correct exchange.
struct Fault {
    std::string_view name;

    /// Breaks the schedules at a random place; false if they have no place for this fault.
    bool (*seed)(Schedules& all, carpool::schedule::SumOrder order, RandomSource& random);
};

std::span<const Fault> faults();

}  // namespace families
