// SPDX-License-Identifier: MIT
#pragma once

#include "choose/load.hpp"
#include "engine/steps.hpp"
#include "mpi/comm/comm_state.hpp"
#include "routing/itinerary.hpp"
#include "routing/rule.hpp"
#include "schedule/operation.hpp"
#include "topology/graph.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace carpool::neighbor {

/// The kind of routes that an operation needs.
enum class Flow {
    alltoall,
    allgather,
    backwards  ///< an allgather on the transposed graph, which reductions run backwards
};

inline constexpr int flows = 3;

Flow flow_of(schedule::Operation operation);

/// The routes of a rule on a graph: this rank's part, and the load of the busiest rank.
struct Route {
    routing::Itinerary itinerary;
    choose::Load load;
    choose::Traffic of_all = {};  ///< blocks and bytes of all ranks, if the rule can rearrange
};

/// The graph that routes are planned for.
struct RoutedGraph {
    mpi::CommState& state;  ///< the state of the communicator; ready
    const topology::Adjacency& edges;
    const routing::EdgeBytes* bytes;  ///< sizes that are the same at each call; else null
};

/// A rule, with the options that it applies.
struct RuleInUse {
    const routing::Rule* rule;
    routing::RouteOptions options = {};
};

/// Plans the routes of a rule. @note Collective
/// @param use  lives until the steps have ended
/// @param tag  in use only until the end
/// @pre the call is the first in the line of calls (mpi::CommState::Place)
engine::Steps<Route> planned_route(const RuleInUse& use, RoutedGraph graph,
                                   routing::Pattern pattern, int tag);

struct UnsizedRoute;

/// The routes on the graph of a communicator. All ranks plan them together, once per rule and flow,
/// in a call with a place in the line of calls. So the routes are the same on all ranks whenever
/// a call is first in line.
class Routes {
public:
    struct Key {
        const routing::Rule* rule;
        Flow flow;
        routing::RouteOptions options = {};  ///< the options that the rule applies
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    /// The call in which all ranks find something out together.
    struct Occasion {
        int tag;             ///< used only until it has been found out
        std::int64_t place;  ///< the place of the call, in the line of calls
    };

    /// The routes with this key; null if they have not been planned yet.
    const Route* find(const Key& key) const;

    /// Plans the routes with this key, unless they exist. @note Collective
    engine::Steps<void> plan(Key key, RoutedGraph graph, Occasion occasion);

    /// Plans the rule `direct` for an alltoall, with the load of this rank alone. Local.
    void plan_direct(const RoutedGraph& graph);

    /// The route for blocks whose sizes only their two ends know; null until all ranks have settled
    /// it together, in the first call that needs it.
    const UnsizedRoute* unsized_route(Flow flow) const;
    void settle(Flow flow, const UnsizedRoute& unsized_route, Occasion occasion);

    /// Takes over the routes that another communicator knew before the call with that place.
    void inherit(const Routes& from, std::int64_t place);

private:
    template <typename T>
    struct FoundRoute {
        std::int64_t place;
        std::shared_ptr<const T> what;
    };

    void add(const Key& key, std::int64_t place, Route route);

    mutable std::mutex mutex_;  // another thread may progress a call that plans
    std::map<Key, FoundRoute<Route>> routes_;
    std::map<Flow, FoundRoute<UnsizedRoute>> unsized_routes_;
};

/// The route of calls whose block sizes only the two ends of each edge know: a rule, whose messages
/// have length headers if it forwards blocks.
struct UnsizedRoute {
    Routes::Key rule;
    std::int64_t longest = 0;  ///< the longest block that is combined with others
};

}  // namespace carpool::neighbor
