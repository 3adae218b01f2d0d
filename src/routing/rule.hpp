// SPDX-License-Identifier: MIT
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
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carpool::routing {

/// Parameters of some rules.
struct RouteOptions {
    int theta = 4;       ///< common neighbors that make two ranks friends ([3] §IV-B)
    Digits digits = {};  ///< how the rule `digits` writes distances
    /// Blocks longer than this go straight, where sizes are known ([5] §3.2).
    std::int64_t longest = std::numeric_limits<std::int64_t>::max();
    int arrangement = 0;  ///< number of a permutation of the ranks, see routing::arranged
    Limits limits = {};   ///< selects one of several plans of a rule on a grid
    int carriers = 1;     ///< messages from one node to another, by the rule `node`
    friend auto operator<=>(const RouteOptions&, const RouteOptions&) = default;
};

/// Sizes of the blocks along a rank's edges, known at both ends.
struct EdgeBytes {
    std::vector<std::int64_t> out;
    std::vector<std::int64_t> in;
};

struct Arrangement;

/// What one rank knows of a graph when planning begins.
struct GraphView {
    int rank;
    int ranks;
    const topology::Adjacency* edges;
    RouteOptions options = {};
    const EdgeBytes* bytes = nullptr;        ///< for an alltoall or multicast whose sizes are used
    const topology::Nodes* nodes = nullptr;  ///< null if there is only one node

    /// The permutation for options.arrangement, where ranks of one process share it; null to make
    /// it.
    std::shared_ptr<const Arrangement> arrangement = nullptr;
};

/// Decides through which ranks blocks travel. Everything else is common to all rules.
///
/// A plan is relative to its origin and the same on all ranks; where all ranks have the same
/// neighborhood, it is made without communication. The grid shows which dimensions wrap around, so
/// that routes never leave a mesh; most rules do not need it.
///
/// On a graph each rank runs `route`, which finds the rank's own part of all routes in supersteps.
/// The edges must outlive the program.
struct Rule {
    std::string_view name;
    std::string_view summary;
    bool automatic = false;  ///< a candidate of "auto": no other rule always equals or beats it

    /// Null for a rule that works only on graphs.
    Plan (*plan)(const topology::Grid&, const topology::Neighborhood&, Pattern) = nullptr;

    /// Null for a rule that works only on grids.
    Program<Itinerary> (*route)(GraphView, Pattern) = nullptr;

    bool seeks_friends = false;     ///< routes depend on RouteOptions::theta
    bool writes_digits = false;     ///< routes depend on RouteOptions::digits
    bool follows_next_hop = false;  ///< routes depend on RouteOptions::longest
    bool rearranges = false;        ///< routes depend on RouteOptions::arrangement
    bool knows_nodes = false;       ///< routes depend on RouteOptions::carriers and on nodes

    /// Several plans by ascending rounds, from few rounds to little volume: each is Pareto-optimal
    /// in rounds, phases and volume. Null where `plan` is the only one. The volume is weighted by
    /// the weights of the neighbors' blocks, if any are given.
    std::vector<Plan> (*plans)(const topology::Grid&, const topology::Neighborhood&, Pattern,
                               std::span<const std::int64_t> weights) = nullptr;
};

/// A rule as users name it: "basis", or "basis:10/2" for one of its plans; "node", or "node:4" for
/// 4 carriers.
struct NamedRule {
    const Rule* rule;
    Limits limits = {};
    int carriers = 0;  ///< 0 for any
};

/// Returns nothing if there is no such rule, or if numbers follow the name of a rule that has
/// neither several plans nor carriers.
std::optional<NamedRule> rule_from_text(std::string_view text);

std::string text_of(const NamedRule& named);

/// All rules, the simplest first. A new rule is one file and one line in registry.cpp.
std::span<const Rule* const> rules();

/// The rules that make plans for grids, and the rules that route on graphs; some do both.
std::span<const Rule* const> grid_rules();
std::span<const Rule* const> graph_rules();

/// The options with the default for each option on which the rule's routes do not depend.
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
