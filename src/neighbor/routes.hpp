#pragma once

#include "choose/load.hpp"
#include "mpi/comm_state.hpp"
#include "routing/itinerary.hpp"
#include "routing/rule.hpp"
#include "schedule/operation.hpp"
#include "topology/graph.hpp"

#include <mpi.h>

#include <compare>
#include <map>
#include <memory>

namespace carpool::neighbor {

/// What operations want of routes.
enum class Flow {
    alltoall,
    allgather,
    backwards  ///< an allgather on the transposed graph, which reductions run backwards
};

Flow flow_of(schedule::Operation operation);

/// The routes of a rule on a graph: this rank's part, and the load of the busiest rank.
struct Route {
    routing::Itinerary itinerary;
    choose::Load load;
    choose::Traffic of_all = {};  ///< what all ranks send, through a virtual topology
};

/// What routes are planned for.
struct RoutedGraph {
    mpi::CommState& state;  ///< of the communicator; ready
    const topology::Adjacency& edges;
    const routing::EdgeBytes* bytes;  ///< null unless these are the same at each call
};

/// Routes on the graph of a communicator, planned once per rule and flow, by all ranks together.
class Routes {
public:
    struct Key {
        const routing::Rule* rule;
        Flow flow;
        routing::RouteOptions options = {};  ///< as the rule heeds them
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    /// Null if not planned yet; which ones are is the same on all ranks.
    const Route* find(const Key& key) const;

    /// Plans it unless it is there. @note Collective over comm, whose graph this is.
    const Route& plan(const Key& key, const RoutedGraph& graph, MPI_Comm comm);

    /// Plans direct for an alltoall; its load is that of this rank alone. Local.
    void plan_direct(const RoutedGraph& graph);

private:
    std::map<Key, std::shared_ptr<const Route>> routes_;  // shared with duplicates
};

}  // namespace carpool::neighbor
