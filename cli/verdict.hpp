#pragma once

#include "schedule/verify.hpp"

#include <boost/json.hpp>

#include <span>
#include <string_view>

namespace cli {

/// {"name": …, "complaints": […]}: what the verifier says of the schedules of all ranks.
/// @param name  of the rule or algorithm that they are of
boost::json::object verdict(std::string_view name,
                            std::span<const carpool::schedule::Schedule> schedules,
                            const carpool::schedule::Postcondition& expected,
                            carpool::schedule::SumOrder order = carpool::schedule::SumOrder::any);

}  // namespace cli
