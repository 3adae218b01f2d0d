#pragma once

#include "choose/load.hpp"
#include "engine/steps.hpp"
#include "mpi/comm_state.hpp"
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

/// What operations want of routes.
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
    choose::Traffic of_all = {};  ///< what all ranks send, through a virtual topology
};

/// What routes are planned for.
struct RoutedGraph {
    mpi::CommState& state;  ///< of the communicator; ready
    const topology::Adjacency& edges;
    const routing::EdgeBytes* bytes;  ///< null unless these are the same at each call
};

struct UnsizedRoute;

/// Routes on the graph of a communicator, planned once per rule and flow, by all ranks together: at
/// a call with a place in line, and so the same on all ranks whenever the turn of a call has come.
class Routes {
public:
    struct Key {
        const routing::Rule* rule;
        Flow flow;
        routing::RouteOptions options = {};  ///< as the rule applies them
        friend auto operator<=>(const Key&, const Key&) = default;
    };

    /// When something is found out together.
    struct Occasion {
        int tag;             ///< used only until it has been
        std::int64_t place;  ///< of the call
    };

    /// Null if not planned yet.
    const Route* find(const Key& key) const;

    /// Plans it unless it is there. @note Collective
    engine::Steps<void> plan(Key key, RoutedGraph graph, Occasion occasion);

    /// Plans direct for an alltoall; its load is that of this rank alone. Local.
    void plan_direct(const RoutedGraph& graph);

    /// Null before all ranks have settled it together, at the first such call.
    const UnsizedRoute* unsized_route(Flow flow) const;
    void settle(Flow flow, const UnsizedRoute& unsized_route, Occasion occasion);

    /// Takes over what those of another communicator were before the call with that place.
    void inherit(const Routes& from, std::int64_t place);

private:
    template <typename T>
    struct Found {
        std::int64_t place;
        std::shared_ptr<const T> what;
    };

    void add(const Key& key, std::int64_t place, Route route);

    mutable std::mutex mutex_;  // another thread may progress a call that plans
    std::map<Key, Found<Route>> routes_;
    std::map<Flow, Found<UnsizedRoute>> unsized_routes_;
};

/// How calls go of whose blocks only the two ends of an edge know the sizes: by a rule, with
/// length headers if it forwards.
struct UnsizedRoute {
    Routes::Key rule;
    std::int64_t longest = 0;  ///< block that rides with others
};

}  // namespace carpool::neighbor
