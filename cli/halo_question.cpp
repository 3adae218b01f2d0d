// SPDX-License-Identifier: MIT
#include "halo_question.hpp"

#include "choose/grid_load.hpp"
#include "fields.hpp"
#include "halo/schedule.hpp"
#include "halo/transfers.hpp"
#include "question.hpp"
#include "routing/rule.hpp"
#include "topology/mapping.hpp"
#include "topology/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;
using choose::Level;
using halo::Cells;

constexpr std::int64_t most_ranks = 1 << 24;
constexpr std::int64_t most_along = 1 << 20;  // cells in a dimension
constexpr std::int64_t most_cells = std::int64_t{1} << 36;
constexpr std::int64_t most_element_bytes = 1 << 20;
constexpr int most_hops = 1 << 12;  // planned within a second

topology::Grid checked(topology::Grid grid) {
    if (grid.size() > most_ranks)
        throw std::invalid_argument("the grid has " + std::to_string(grid.size()) +
                                    " ranks, expected at most 2^24");
    return grid;
}

std::vector<Cells> shape_of(const json::object& halo, int dimensions) {
    std::vector<Cells> shape;
    Cells cells = 1;
    for (const auto& along : halo.at("shape").as_array()) {
        shape.push_back(integer("a halo of", along, " cells in a dimension", 1, most_along));
        cells *= shape.back();
        if (cells > most_cells)
            throw std::invalid_argument("a halo of more than 2^36 cells that a rank owns");
    }
    if (std::cmp_not_equal(shape.size(), dimensions))
        throw std::invalid_argument("the halo has " + std::to_string(shape.size()) +
                                    " dimensions, the grid " + std::to_string(dimensions));
    return shape;
}

/// As wide as the stencil reaches in each dimension, if no width is given.
std::vector<Cells> widths_of(const json::object& halo, const topology::Neighborhood& stencil) {
    const auto d = static_cast<std::size_t>(stencil.dimensions());
    if (!halo.at("width").is_null())
        return std::vector<Cells>(d, integer("width", halo.at("width"), "", 0, most_along));
    std::vector<Cells> widths(d, 0);
    for (int i = 0; i < stencil.size(); ++i)
        for (std::size_t k = 0; k < d; ++k)
            widths[k] = std::max<Cells>(widths[k], std::abs(stencil[i][k]));
    return widths;
}

topology::Neighborhood hops_of(const halo::Domain& domain, const topology::Neighborhood& stencil) {
    auto hops = halo::hops(domain, stencil);
    if (hops.size() > most_hops)
        throw std::invalid_argument("the halo comes from " + std::to_string(hops.size()) +
                                    " ranks, expected at most 2^12");
    return hops;
}

halo::Domain domain_of(const json::object& o, const topology::Neighborhood& stencil) {
    const auto grid = checked(topology::grid_from_text(text(o, "grid")));
    const auto& asked = o.at("halo").as_object();
    const auto shape = shape_of(asked, grid.dimensions());
    if (stencil.dimensions() != grid.dimensions())
        throw std::invalid_argument("the stencil has " + std::to_string(stencil.dimensions()) +
                                    " dimensions, the grid " + std::to_string(grid.dimensions()));
    std::vector<std::vector<Cells>> extents;
    for (int k = 0; k < grid.dimensions(); ++k)
        extents.emplace_back(static_cast<std::size_t>(grid.dim(k)),
                             shape[static_cast<std::size_t>(k)]);
    const auto widths = widths_of(asked, stencil);
    halo::Domain domain(grid, std::move(extents), widths, widths);
    halo::check_reach(domain, stencil);
    return domain;
}

/// The load of a rule's plan, as a halo exchange of the library counts it. @param cells  per round
choose::Load load_of(const HaloQuestion& q, const routing::Plan& plan, std::span<const Cells> cells,
                     std::int64_t element_bytes) {
    auto rounds = choose::rounds_of(plan);
    for (std::size_t round = 0; round < rounds.size(); ++round)
        rounds[round].bytes = cells[round] * element_bytes;
    return choose::load_of(plan, rounds, q.domain.grid(), q.nodes.machine());
}

json::object to_json(const choose::Traffic& traffic) {
    return {{"messages", traffic.messages}, {"bytes", traffic.bytes}};
}

/// The cells that arrive by a hop.
Cells cells_of(const HaloQuestion& q, std::span<const int> hop) {
    const auto here = q.domain.grid().coordinates(q.rank);
    Cells cells = 1;
    for (std::size_t k = 0; k < hop.size(); ++k) {
        const auto& pieces = q.domain.pieces(static_cast<int>(k), here[k]);
        const auto piece = pieces.find(hop[k]);
        cells *= piece == pieces.end() ? 0 : piece->second.size;
    }
    return cells;
}

/// Faces, edges and corners: how many there are of each size, the largest first.
json::array parts_of(const HaloQuestion& q) {
    std::map<Cells, int, std::greater<>> neighbors;
    for (int i = 0; i < q.hops.size(); ++i) ++neighbors[cells_of(q, q.hops[i])];
    json::array parts;
    for (const auto& [cells, count] : neighbors)
        parts.push_back(json::object{
            {"cells", cells}, {"bytes", cells * q.element_bytes}, {"neighbors", count}});
    return parts;
}

json::object described(const HaloQuestion& q, const routing::Rule& rule,
                       const routing::Plan& plan) {
    const auto by_round = halo::most_cells_sent(plan, q.domain);
    const auto cells = std::accumulate(by_round.begin(), by_round.end(), Cells{0});
    const auto load = load_of(q, plan, by_round, q.element_bytes);
    const auto schedule =
        halo::schedule_of(halo::transfers_of(plan, q.domain, q.rank), q.rank, q.element_bytes);
    json::object result{{"name", rule.name},
                        {"summary", rule.summary},
                        {"automatic", rule.automatic},
                        {"rounds", plan.rounds()},
                        {"phases", plan.phases()},
                        {"least_phases", plan.least_phases()},
                        {"volume", cells},
                        {"bytes", cells * q.element_bytes},
                        {"starts", choose::starts(load, q.model.ports)},
                        {"estimate", choose::estimate(q.nodes.machine(), load)},
                        {"at_rank",
                         {{"rank", q.rank},
                          {"messages", schedule::messages_sent(schedule)},
                          {"bytes", schedule::bytes_sent(schedule)}}}};
    if (q.nodes.asked())
        result["nodes"] = {{"charged",
                            {{"within", to_json(load.at(Level::node))},
                             {"between", to_json(load.at(Level::network))}}},
                           {"phases_between", load.phases_between_nodes()}};
    const auto& machine = q.nodes.machine();
    if (machine.overlaps())
        result["line"] = line_through([&](std::int64_t bytes) {
            return choose::estimate(machine, load_of(q, plan, by_round, bytes));
        });
    return result;
}

json::array rules_of(const HaloQuestion& q) {
    json::array rules;
    for (const auto* rule : routing::grid_rules()) {
        const auto plan = rule->plan(q.domain.grid(), q.hops, routing::Pattern::allgather);
        if (halo::carries_halo(plan, q.hops)) rules.push_back(described(q, *rule, plan));
    }
    return rules;
}

std::string cheapest(const json::array& rules) {
    const json::object* best = nullptr;
    for (const auto& one : rules) {
        const auto& rule = one.as_object();
        if (rule.at("automatic").as_bool() &&
            (best == nullptr || rule.at("estimate").as_double() < best->at("estimate").as_double()))
            best = &rule;
    }
    return text(*best, "name");
}

void check_carried(const std::string& algorithm, const json::array& rules) {
    if (algorithm == "auto") return;
    std::string names;
    for (const auto& rule : rules) {
        const auto name = text(rule.as_object(), "name");
        if (name == algorithm) return;
        names += ", " + name;
    }
    throw std::invalid_argument("algorithm '" + algorithm + "', expected for this halo auto" +
                                names);
}

}  // namespace

HaloQuestion::HaloQuestion(const json::object& o)
    : domain(domain_of(o, topology::stencil_from_text(text(o, "stencil")))),
      stencil(topology::stencil_from_text(text(o, "stencil"))),
      hops(hops_of(domain, stencil)),
      element_bytes(integer("an element of", o.at("halo").at("element_bytes"), " bytes", 1,
                            most_element_bytes)),
      model(model_of(o)),
      nodes(o, static_cast<int>(domain.grid().size()),
            [this](const auto& on) {
                return topology::mapping_of(domain.grid(), hops, std::vector<int>(), on);
            }),
      algorithm(text(o, "algorithm")),
      rank(o.at("rank").is_null() ? middle_of(domain.grid())
                                  : rank_of(o, static_cast<int>(domain.grid().size()))) {}

json::object explain(const HaloQuestion& q) {
    const auto& grid = q.domain.grid();
    auto rules = rules_of(q);
    check_carried(q.algorithm, rules);
    const auto automatic = cheapest(rules);
    json::object answer{{"grid", topology::to_text(grid)},
                        {"ranks", grid.size()},
                        {"periodic", grid.fully_periodic()},
                        {"neighbors", q.hops.size()},
                        {"operation", "halo"},
                        {"block_bytes", {q.element_bytes}},
                        {"alpha", q.model.alpha},
                        {"beta", q.model.beta},
                        {"sigma", q.model.sigma},
                        {"ports", q.model.ports},
                        {"rank", q.rank},
                        {"halo", {{"parts", parts_of(q)}}},
                        {"rules", std::move(rules)},
                        {"automatic", automatic},
                        {"choice", q.algorithm == "auto" ? automatic : q.algorithm}};
    if (q.nodes.asked()) answer["nodes"] = q.nodes.about(1);
    return answer;
}

}  // namespace cli
