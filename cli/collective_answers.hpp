// SPDX-License-Identifier: MIT
#pragma once

#include "collective_question.hpp"

#include <boost/json.hpp>

namespace cli {

/// The collective, the counts and the estimate of each algorithm that applies, and which one is the
/// cheapest; cli/README.md lists them.
boost::json::object explain(const CollectiveQuestion& question);

/// For each of many problems, the estimate of each algorithm on each of many machines:
/// {"problems": [a question without costs, …], "costs": [{"alpha": …}, …]} is answered by
/// {"estimates": [{"ring": [1.5e-5, …], …}, …]}.
boost::json::object estimates(const boost::json::object& question);

/// The same with what one rank does.
boost::json::object plan(const CollectiveQuestion& question);

/// The same with the messages of all ranks, for a picture.
boost::json::object messages(const CollectiveQuestion& question);

/// The names of the algorithms that solve the problem.
boost::json::object applicable(const CollectiveQuestion& question);

/// The verifier's complaints about the schedules of all ranks, per algorithm.
boost::json::object verify(const CollectiveQuestion& question);

/// The algorithms per kind.
boost::json::array collective_algorithms();

}  // namespace cli
