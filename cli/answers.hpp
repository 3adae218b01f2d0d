#pragma once

#include "question.hpp"

#include <boost/json.hpp>

namespace cli {

/// Per rule its counts and its estimate, and which one auto takes.
boost::json::object explain(Question& question);

/// The plan of each rule: its rounds, and per stop the way from the origin; and what one rank does.
boost::json::object plan(Question& question);

/// Complaints of the verifier about the schedules of all ranks, per rule.
boost::json::object verify(Question& question);

boost::json::object stencils();
boost::json::object algorithms();

}  // namespace cli
