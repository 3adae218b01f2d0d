// SPDX-License-Identifier: MIT
#pragma once

#include "schedule/schedule.hpp"
#include "topology/nodes.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace cli {

/// The size of all blocks, or nothing for the sizes in the question.
using BlockBytes = std::optional<std::int64_t>;

/// One way to make an exchange, and what each rank does by it.
struct Method {
    std::string name;
    int ranks;
    std::shared_ptr<const carpool::topology::Nodes> nodes;  ///< null for one node

    std::function<carpool::schedule::Schedule(int rank, BlockBytes block_bytes)> schedule_of;
};

/// Visits the method that a question about a grid, a graph or a collective names, or all of them
/// one after the other. A method is planned when it is visited.
void visit_methods(const boost::json::object& question,
                   const std::function<void(const Method&)>& visit);

}  // namespace cli
