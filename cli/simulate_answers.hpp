// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json.hpp>

namespace cli {

/// Answers about the schedules of all ranks. Each question is one about a grid, a graph or a
/// collective, with more keys. All throw std::invalid_argument.

/// By LogGP, what each method costs:
///   {"costs": {"alpha": 8e-7, ..., "within": {...}, "machine": {...}}, "sizes": [4, 40]}
/// with costs as costs_of() reads them; sizes are those of all blocks, one after the other, or
/// null for those in the question. A method with too many messages has "left_out", why, instead of
/// "costs".
boost::json::object simulate(const boost::json::object& question);

/// Writes the trace of a method to a file, for SimGrid, and answers the node of each rank:
///   {"file": "ranks.txt", "detached_below": 65536, "costs": {...}, "sizes": [4]}
boost::json::object trace(const boost::json::object& question);

/// Writes the schedules of a method to a file, a line of JSON per rank: {"file": "all.jsonl"}.
boost::json::object schedules(const boost::json::object& question);

}  // namespace cli
