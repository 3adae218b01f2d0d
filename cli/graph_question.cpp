// SPDX-License-Identifier: MIT
#include "graph_question.hpp"

#include "edge_file.hpp"
#include "fields.hpp"
#include "topology/graph_text.hpp"
#include "topology/text.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

/// Limits ranks and edges, which are all planned in this process: within minutes and 8 GB.
constexpr std::int64_t most_ranks = 1 << 16;
constexpr std::int64_t most_edges = 1 << 24;

void check_size(std::int64_t ranks, std::int64_t edges) {
    if (ranks > most_ranks)
        throw std::invalid_argument("the graph has " + std::to_string(ranks) +
                                    " ranks, expected at most 2^16 to plan them all here");
    if (edges > most_edges)
        throw std::invalid_argument("the graph has " + std::to_string(edges) +
                                    " edges, expected at most 2^24 to plan them all here");
}

topology::Graph graph_of_grid(const json::object& o) {
    const auto grid = topology::grid_from_text(text(o, "grid"));
    const auto stencil = topology::stencil_from_text(text(o, "stencil"));
    if (stencil.dimensions() != grid.dimensions())
        throw std::invalid_argument("the stencil has " + std::to_string(stencil.dimensions()) +
                                    " dimensions, the grid " + std::to_string(grid.dimensions()));
    check_size(grid.size(), grid.size() * stencil.size());
    return topology::graph_of(grid, stencil);
}

topology::Graph graph_of(const json::object& o, const EdgeFile& file) {
    const auto ranks = integer("a graph of", o.at("ranks"), " ranks", 1, most_ranks);
    check_size(ranks, std::ssize(file.from));
    return topology::graph_of_edges(static_cast<int>(ranks), file.from, file.to);
}

topology::Graph checked(topology::Graph graph) {
    std::int64_t edges = 0;
    for (const auto& one : graph) edges += static_cast<std::int64_t>(one.out.size());
    check_size(static_cast<std::int64_t>(graph.size()), edges);
    return graph;
}

routing::RouteOptions options_of(const json::object& o) {
    const auto theta = integer("theta", o.at("theta"), "", 1, most_ranks);
    routing::RouteOptions options{static_cast<int>(theta), digits_of(o)};
    if (const auto* const given = o.if_contains("carriers"))
        options.carriers = static_cast<int>(integer("carriers", *given, "", 1, most_ranks));
    return options;
}

/// Numbers edges as routing::edges_of_stops does, rank by rank.
std::vector<int> by_rank(const EdgeFile& file) {
    std::vector<int> order(file.from.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&file](int a, int b) {
        return file.from[static_cast<std::size_t>(a)] < file.from[static_cast<std::size_t>(b)];
    });
    for (auto& edge : order) edge = file.values[static_cast<std::size_t>(edge)];
    return order;
}

/// Reordering for edges of these weights, or where there are none, of the same weight.
topology::Mapping mapping_on(const topology::Graph& graph, const std::vector<int>* weights,
                             const topology::Nodes& nodes) {
    std::vector<topology::WeightedEdge> edges;
    for (std::size_t from = 0; from < graph.size(); ++from)
        for (const auto& edge : graph[from].out)
            if (edge.peer != topology::no_rank)
                edges.push_back({static_cast<int>(from), edge.peer,
                                 weights != nullptr ? (*weights)[edges.size()] : 1});
    return mapping_of(topology::WeightedGraph(static_cast<int>(graph.size()), edges), nodes);
}

bool rearranges(const json::object& o) {
    const auto given = text(o, "rearrange");
    if (given != "auto" && given != "off")
        throw std::invalid_argument("rearrange '" + given + "', expected auto or off");
    return given == "auto";
}

}  // namespace

GraphQuestion::GraphQuestion(const json::object& o) : GraphQuestion(o, Asked(o)) {}

GraphQuestion::Asked::Asked(const json::object& o) {
    const auto& given = o.at("graph");
    if (given.is_string()) {
        graph = checked(topology::graph_from_text(std::string(given.get_string())));
        return;
    }
    const auto& about = given.as_object();
    if (about.contains("grid")) {
        graph = graph_of_grid(about);
        return;
    }
    const EdgeFile file(about);
    graph = graph_of(about, file);
    if (file.values.empty() || operation_of(o) != schedule::Operation::alltoall) return;
    weights = std::make_shared<const std::vector<int>>(by_rank(file));
    values = std::make_shared<const SharedValues>(file);
}

GraphQuestion::GraphQuestion(const json::object& o, Asked asked)
    : values(std::move(asked.values)),
      nodes(o, static_cast<int>(asked.graph.size()),
            [&asked](const auto& on) { return mapping_on(asked.graph, asked.weights.get(), on); }),
      planner(asked.graph, operation_of(o), options_of(o), rearranges(o), nodes.machine().nodes(),
              asked.weights),
      mapped_planner(std::move(asked.graph), operation_of(o), options_of(o), rearranges(o),
                     nodes.mapped().nodes(), asked.weights),
      block_bytes(sizes(o, 1).front()),
      model(model_of(o)),
      algorithm(text(o, "algorithm")),
      rank(rank_of(o, ranks())) {
    if (algorithm != "auto" && rule_named(algorithm)->route == nullptr)
        throw std::invalid_argument("algorithm '" + algorithm +
                                    "' is for grids, expected one for graphs, see: carpool "
                                    "algorithms");
    check_digits(planner.options().digits, ranks());
}

std::vector<const routing::Rule*> GraphQuestion::rules() const {
    if (algorithm != "auto") return {rule_named(algorithm)};
    const auto all = routing::graph_rules();
    return {all.begin(), all.end()};
}

}  // namespace cli
