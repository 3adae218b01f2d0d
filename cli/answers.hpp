// SPDX-License-Identifier: MIT
#pragma once

#include "question.hpp"

#include <boost/json.hpp>

namespace cli {

/// The counts and the estimates of all rules, and the rule that auto takes; cli/README.md lists
/// them.
boost::json::object explain(Question& question);

/// The same with the plan of each rule that is asked for, its rounds and the way from the origin to
/// each stop, and with what one rank does.
boost::json::object plan(Question& question);

/// The verifier's complaints about the schedules of all ranks, or of the sampled ones, per rule.
boost::json::object verify(Question& question);

boost::json::object stencils();
boost::json::object graphs();
boost::json::object algorithms();

}  // namespace cli
