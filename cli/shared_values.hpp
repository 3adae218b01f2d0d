// SPDX-License-Identifier: MIT
#pragma once

#include "choose/graph_planner.hpp"
#include "edge_file.hpp"
#include "topology/nodes.hpp"

#include <cstdint>
#include <vector>

namespace cli {

/// Values that several ranks want. A message that takes such a value to several of them needs it
/// only once.
class SharedValues {
public:
    explicit SharedValues(const EdgeFile& file);

    /// Whether it is known which values are the same.
    bool known() const { return !values_of_class_.empty(); }

    /// Values that each message of each rank has, none of them twice, in the routes of an alltoall.
    std::vector<carpool::choose::MessageBytes> in_messages(
        const carpool::choose::GraphPlan& plan) const;

    /// How many values pass between nodes if each taker gets its own copy, and if each node gets
    /// one.
    struct Crossings {
        std::int64_t by_ranks = 0;
        std::int64_t by_nodes = 0;
    };
    Crossings crossings(const carpool::topology::Nodes& nodes) const;

private:
    class Counting;

    std::vector<int> from_;             // per edge
    std::vector<int> to_;               // likewise
    std::vector<int> values_;           // likewise
    std::vector<int> values_of_class_;  // per class
    std::vector<int> first_;            // per edge: where its classes begin, and the end
    std::vector<int> classes_;          // of all edges
};

}  // namespace cli
