// SPDX-License-Identifier: MIT
#pragma once

#include <boost/json.hpp>

namespace cli {

/// What messages cost in the library, and the lengths from which on they take another transport:
/// the defaults for {"mpi": "mpich", "tuning": null}, or those of the text of a tuning file.
/// Returns {"neighborhoods": {"by_mpi": {"alpha": …, "beta": …, "sigma": …}, "through_memory": …,
/// "between_nodes": …, "measured": ["by_mpi"]}, "collectives": …,
/// "blocks": {"copy_per_byte": …, "sum_per_byte": …}, "cut_offs": {"whole_through_memory": …, …},
/// "choices": [{"problem": …, "taken": …}]}, where "measured" has the levels whose costs are in the
/// text.
boost::json::object costs(const boost::json::object& question);

}  // namespace cli
