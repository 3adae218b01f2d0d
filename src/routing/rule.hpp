#pragma once

#include "routing/digits.hpp"
#include "routing/itinerary.hpp"
#include "routing/limits.hpp"
#include "routing/plan.hpp"
#include "routing/program.hpp"
#include "topology/graph.hpp"
#include "topology/grid.hpp"
#include "topology/neighborhood.hpp"
#include "topology/nodes.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carpool::routing {

/// What some rules may be told.
struct RouteOptions {
    int theta = 4;       ///< common neighbors that make two ranks friends ([3] §IV-B)
    Digits digits = {};  ///< in which the rule `digits` writes distances
    /// Longer blocks go straight where sizes are known ([5] §3.2).
    std::int64_t longest = std::numeric_limits<std::int64_t>::max();
    int arrangement = 0;  ///< of the ranks in a virtual topology, see routing::arranged
    Limits limits = {};   ///< of a rule with several plans, on a grid: if any, which one
    int carriers = 1;     ///< messages from one node to another, by the rule `node`
    friend auto operator<=>(const RouteOptions&, const RouteOptions&) = default;
};

/// Sizes of the blocks along a rank's edges, known at both ends.
struct EdgeBytes {
    std::vector<std::int64_t> out;
    std::vector<std::int64_t> in;
};

/// What one rank knows of a graph when planning begins.
struct GraphView {
    int rank;
    int ranks;
    const topology::Adjacency* edges;
    RouteOptions options = {};
    const EdgeBytes* bytes = nullptr;        ///< of an alltoall, if they are to be looked at
    const topology::Nodes* nodes = nullptr;  ///< null for one
};

/// Says through which ranks blocks travel. Everything else is shared by all rules.
///
/// A plan is relative to its origin and alike on all ranks: where all have one neighborhood, it is
/// made without a message. The grid says where dimensions wrap around, so that routes never leave a
/// mesh; most rules have no need of it.
///
/// On a graph each rank runs `route`, which finds its own part of all routes in supersteps. The
/// edges must outlive the program.
struct Rule {
    std::string_view name;
    std::string_view summary;
    bool automatic = false;  ///< a candidate of "auto": no other one always equals or beats it

    /// Null for a rule of graphs alone.
    Plan (*plan)(const topology::Grid&, const topology::Neighborhood&, Pattern) = nullptr;

    /// Null for a rule of grids alone.
    Program<Itinerary> (*route)(GraphView, Pattern) = nullptr;

    bool seeks_friends = false;     ///< routes depend on RouteOptions::theta
    bool writes_digits = false;     ///< or RouteOptions::digits
    bool follows_next_hop = false;  ///< or RouteOptions::longest
    bool rearranges = false;        ///< or RouteOptions::arrangement
    bool knows_nodes = false;       ///< or RouteOptions::carriers, and on which ranks share a node

    /// Several plans, by ascending rounds, none of which has less of rounds, phases and volume than
    /// another without more of something: from few rounds to little volume. Null where `plan` is
    /// the only one. The volume is in the weights of the neighbors' blocks, if any are given.
    std::vector<Plan> (*plans)(const topology::Grid&, const topology::Neighborhood&, Pattern,
                               std::span<const std::int64_t> weights) = nullptr;
};

/// A rule as people name it: "basis", or of its several plans "basis:10/2"; "node", or with so many
/// carriers "node:4".
struct NamedRule {
    const Rule* rule;
    Limits limits = {};
    int carriers = 0;  ///< 0 for any
};

/// None where there is no such rule, or it has neither several plans nor carriers.
std::optional<NamedRule> rule_from_text(std::string_view text);

std::string text_of(const NamedRule& named);

/// All rules, the simplest first. A new rule is one file and one line in registry.cpp.
std::span<const Rule* const> rules();

/// Those that make plans for grids, and those that route on graphs; some do both.
std::span<const Rule* const> grid_rules();
std::span<const Rule* const> graph_rules();

/// Those of the options on which a rule's routes depend; of the others the defaults.
RouteOptions applied(const Rule& rule, RouteOptions options);

/// The rule of that name, or null.
const Rule* find_rule(std::string_view name);

extern const Rule direct;
extern const Rule torus;
extern const Rule cartesian;
extern const Rule basis;
extern const Rule friends;
extern const Rule cumulative;
extern const Rule virtual_mesh;
extern const Rule virtual_grid;
extern const Rule hypercube;
extern const Rule by_digits;
extern const Rule by_node;

}  // namespace carpool::routing
