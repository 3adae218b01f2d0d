#pragma once

#include <boost/json.hpp>

namespace cli {

/// What messages cost in the library, and at which lengths they go another way, unless it is told:
/// {"mpi": "mpich", "tuning": null}, or the text of a tuning file. Gives {"neighborhoods":
/// {"by_mpi": {"alpha": …, "beta": …, "sigma": …}, "through_memory": …, "between_nodes": …},
/// "collectives": …, "cut_offs": {"whole_through_memory": …, …}}.
boost::json::object costs(const boost::json::object& question);

}  // namespace cli
