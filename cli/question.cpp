// SPDX-License-Identifier: MIT
#include "question.hpp"

#include "fields.hpp"
#include "samples.hpp"
#include "topology/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace cli {
namespace {

namespace json = boost::json;
using namespace carpool;

/// Limits the unit hops of all offsets, which determine how long planning may take.
constexpr std::int64_t most_hops = 1 << 24;

topology::Grid asked_grid(const json::object& o) {
    const auto grid = topology::grid_from_text(text(o, "grid"));
    const auto* const as_printed = o.if_contains("as_printed");
    return as_printed != nullptr && as_printed->as_bool() ? grid.with_offsets_as_given() : grid;
}

topology::Neighborhood stencil_of(const json::object& o, const topology::Grid& grid) {
    auto stencil = topology::stencil_from_text(text(o, "stencil"));
    if (stencil.dimensions() != grid.dimensions())
        throw std::invalid_argument("the stencil has " + std::to_string(stencil.dimensions()) +
                                    " dimensions, the grid " + std::to_string(grid.dimensions()));
    std::int64_t hops = 0;
    for (const int c : stencil.flat()) hops += std::abs(std::int64_t{c});
    if (hops > most_hops)
        throw std::invalid_argument("the offsets are " + std::to_string(hops) +
                                    " hops long in all, expected at most " +
                                    std::to_string(most_hops));
    return stencil;
}

std::size_t blocks_of(schedule::Operation operation, const topology::Neighborhood& stencil) {
    return operation == schedule::Operation::alltoall ? static_cast<std::size_t>(stencil.size())
                                                      : 1;
}

bool differ(const std::vector<std::int64_t>& sizes) {
    return std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end();
}

/// The weights of the offsets: bytes of their blocks if these differ, else none.
std::vector<int> weights_of(const std::vector<std::int64_t>& block_bytes) {
    std::vector<int> weights;
    if (!differ(block_bytes)) return weights;
    for (const auto bytes : block_bytes)
        weights.push_back(
            static_cast<int>(std::min<std::int64_t>(bytes, std::numeric_limits<int>::max())));
    return weights;
}

/// Limits ranks, each of which takes some memory when some of them are verified.
std::vector<int> asked_samples(const json::object& o, const topology::Grid& grid) {
    constexpr std::int64_t most_ranks = 1 << 24;
    const auto* const given = o.if_contains("sample");
    if (given == nullptr || given->is_null()) return {};
    if (grid.size() > most_ranks)
        throw std::invalid_argument("the grid has " + std::to_string(grid.size()) +
                                    " ranks, expected at most 2^24 to take samples of");
    return samples_of(grid, static_cast<int>(integer("a sample of", *given, " ranks", 0, 1 << 16)));
}

}  // namespace

int middle_of(const topology::Grid& grid) {
    const std::vector<int> corner(static_cast<std::size_t>(grid.dimensions()), 0);
    std::vector<int> way;
    for (int k = 0; k < grid.dimensions(); ++k) way.push_back(grid.dim(k) / 2);
    return grid.rank_at(corner, way);
}

Question::Question(const json::object& o)
    : grid(asked_grid(o)),
      stencil(stencil_of(o, grid)),
      operation(operation_of(o)),
      block_bytes(sizes(o, blocks_of(operation, stencil))),
      model(model_of(o)),
      algorithm(text(o, "algorithm")),
      planner(grid, stencil),
      nodes(o, static_cast<int>(grid.size()),
            [this](const auto& on) {
                return topology::mapping_of(grid, stencil, weights_of(block_bytes), on);
            }),
      samples(asked_samples(o, grid)),
      rank_(o.at("rank").is_null() ? middle_of(grid) : rank_of(o, static_cast<int>(grid.size()))) {
    if (algorithm != "auto") grid_rule_named(algorithm);
}

std::int64_t Question::bytes_per_weight() const {
    return block_bytes.empty() || differ(block_bytes) ? 1 : block_bytes.front();
}

choose::GridPlan Question::named() {
    const auto named = grid_rule_named(algorithm);
    return planner.planned(*named.rule, operation, named.limits, block_bytes);
}

std::vector<choose::GridPlan> Question::all_plans() {
    std::vector<choose::GridPlan> all;
    for (const auto* rule : routing::grid_rules()) {
        all.push_back(planner.planned(*rule, operation));
        for (auto& other : planner.others(*rule, operation, block_bytes))
            all.push_back(std::move(other));
    }
    const auto asked = asked_for();
    const auto known = [&asked](const auto& plan) { return plan.name() == asked; };
    if (asked != "auto" && std::none_of(all.begin(), all.end(), known)) all.push_back(named());
    return all;
}

std::vector<choose::GridPlan> Question::plans() {
    if (algorithm != "auto") return {named()};
    return all_plans();
}

std::string Question::asked_for() { return algorithm == "auto" ? algorithm : named().name(); }

}  // namespace cli
