#pragma once

#include "graph_question.hpp"

#include <boost/json.hpp>

namespace cli {

/// About the graph, and the counts and the estimate of each rule that is asked for; cli/README.md
/// lists them. Which one is the cheapest is left to who has asked for all.
boost::json::object explain(const GraphQuestion& question);

/// The same with what one rank does.
boost::json::object plan(const GraphQuestion& question);

/// Complaints of the verifier about the schedules of all ranks, per rule.
boost::json::object verify(const GraphQuestion& question);

}  // namespace cli
