// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/verify.hpp"

#include <boost/json.hpp>

#include <span>
#include <string_view>

namespace cli {

/// {"name": …, "complaints": […]}: the verifier's complaints about the schedules of all ranks.
/// @param name  of the rule or algorithm of these schedules
boost::json::object verdict(std::string_view name,
                            std::span<const carpool::schedule::Schedule> schedules,
                            const carpool::schedule::Postcondition& expected,
                            carpool::schedule::SumOrder order = carpool::schedule::SumOrder::any);

}  // namespace cli
