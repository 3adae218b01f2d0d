// SPDX-License-Identifier: MIT
#pragma once

#include "graph_question.hpp"

#include <boost/json.hpp>

namespace cli {

/// The graph, and the counts and the estimate of each rule that is asked for; cli/README.md lists
/// them. The caller that asks for all rules finds the cheapest itself.
boost::json::object explain(const GraphQuestion& question);

/// The same with what one rank does.
boost::json::object plan(const GraphQuestion& question);

/// The verifier's complaints about the schedules of all ranks, per rule.
boost::json::object verify(const GraphQuestion& question);

}  // namespace cli
