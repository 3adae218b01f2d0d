#pragma once

#include "question.hpp"

#include <boost/json.hpp>

namespace cli {

/// The counts and the estimate of all rules, and which one auto takes; cli/README.md lists them.
boost::json::object explain(Question& question);

/// The same with the plan of each rule that is asked for: its rounds, and per stop the way from the
/// origin; and what one rank does.
boost::json::object plan(Question& question);

/// Complaints of the verifier about the schedules of all ranks, per rule.
boost::json::object verify(Question& question);

boost::json::object stencils();
boost::json::object graphs();
boost::json::object algorithms();

}  // namespace cli
