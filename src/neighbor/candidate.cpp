// SPDX-License-Identifier: MIT
#include "neighbor/candidate.hpp"

#include "mpi/comm/call_code.hpp"
#include "mpi/error.hpp"
#include "neighbor/topology/rearranged.hpp"
#include "schedule/place_itinerary.hpp"
#include "schedule/resized.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace carpool::neighbor {
namespace {

using routing::Rule;
using schedule::Operation;
using schedule::Schedule;

/// True if the rule is planned on the grid. On Carpool's own communicators every position has its
/// own size, which plans for grids can use.
bool is_planned_on_grid(const Topology& topology, const Rule& rule) {
    const auto& definition = topology.definition();
    if (!definition.on_grid() || rule.plan == nullptr) return false;
    return definition.declared || rule.route == nullptr;
}

bool applies(const Rule& rule, const Topology& topology) {
    return is_planned_on_grid(topology, rule) || rule.route != nullptr;
}

bool combining_may_pay(const Topology& topology, const NeighborSettings& settings,
                       Operation operation) {
    constexpr std::int64_t nothing = 0;
    const auto direct = direct_candidate(topology, operation);
    return combining_may_pay(settings, load_of(direct, std::span(&nothing, 1), settings.machine()));
}

/// True if `auto` considers the rule. A declared neighborhood is planned without messages, so all
/// rules that plan for grids compete. Any other topology that is on a grid skips planning on its
/// graph. Routes that depend on nodes can be neither relative to their origin nor planned by a rank
/// alone.
bool competes(const Rule& rule, const Topology& topology) {
    const auto& definition = topology.definition();
    if (rule.knows_nodes) return topology.nodes() != nullptr;
    if (definition.declared) return rule.plan != nullptr;
    // a search takes hundreds of supersteps, and the lists serve a single call
    if (topology.bytes() != nullptr && rule.seeks_friends) return false;
    return &rule == &routing::direct || (rule.route == nullptr) == definition.on_grid();
}

int bits_of(int ranks) { return std::bit_width(static_cast<unsigned>(ranks - 1)); }

/// Two digits, three digits, and as many as rank numbers have bits. If all nodes have the same
/// number of consecutive ranks, also one digit for the place on the node, followed by one digit, or
/// as many as possible, for the node.
std::vector<routing::Digits> usual_digits(const Topology& topology) {
    const int ranks = topology.ranks();
    const int node = topology.nodes() != nullptr ? topology.nodes()->in_a_row() : 1;
    std::vector<routing::Digits> tries;
    const int most = bits_of(ranks);
    for (const int count : {2, 3, most})
        if (count <= most && (tries.empty() || tries.back().count < count))
            tries.push_back({count});
    for (const int count : node > 1 ? std::vector{1, bits_of(ranks / node)} : std::vector<int>()) {
        routing::Digits digits{0, routing::node_factors(ranks, node, count)};
        if (digits != tries.back()) tries.push_back(std::move(digits));
    }
    return tries;
}

/// The mesh, grid and hypercube of [5], which are two, three and log2(P) digits; or the digits that
/// the user asks for.
std::vector<routing::Digits> digits_to_try(const NeighborSettings& settings,
                                           const Topology& topology) {
    const auto& asked = settings.options.digits;
    if (asked != routing::Digits{}) return {asked};
    if (settings.rule != nullptr) return {{}};
    return usual_digits(topology);
}

/// The longest block worth combining, if each block takes one hop per nonzero digit: the hops
/// beyond the first are extra.
std::int64_t longest_in_digits(const choose::CostModel& model, const std::vector<int>& factors) {
    return choose::longest_worth_combining(model, routing::mean_hops(factors) - 1);
}

/// The longest block worth combining, if blocks leave a node and arrive at a node through another
/// rank: the extra hops are within nodes.
std::int64_t longest_by_node(const NeighborSettings& settings) {
    constexpr double more_hops = 2;
    auto model = settings.model;
    model.beta = settings.within_node.beta + choose::usual_copy_per_byte;
    return choose::longest_worth_combining(model, more_hops);
}

/// The options that a rule is tried with, within what the settings allow.
std::vector<routing::RouteOptions> options_to_try(const Rule& rule, const Topology& topology,
                                                  const NeighborSettings& settings) {
    auto options = settings.options;
    if (settings.rule == nullptr) options.limits = {};
    options.longest = longest_in_digits(settings.model, options.digits.of(topology.ranks()));
    std::vector<routing::RouteOptions> tries;
    if (rule.writes_digits)
        for (auto& digits : digits_to_try(settings, topology)) {
            options.longest = longest_in_digits(settings.model, digits.of(topology.ranks()));
            options.digits = std::move(digits);
            tries.push_back(options);
        }
    else if (rule.knows_nodes)
        for (const int carriers : carriers_to_try(settings, topology.nodes())) {
            options.longest = longest_by_node(settings);
            options.carriers = carriers;
            tries.push_back(options);
        }
    else
        tries.push_back(std::move(options));
    return tries;
}

/// The keys of a rule on this topology; they contain only options that the rule applies.
std::vector<Routes::Key> keys_of(const Rule& rule, Flow flow, const Topology& topology,
                                 const NeighborSettings& settings) {
    std::vector<Routes::Key> keys;
    for (auto& options : options_to_try(rule, topology, settings)) {
        if (topology.bytes() == nullptr) options.longest = routing::RouteOptions{}.longest;
        keys.push_back({&rule, flow, applied(rule, std::move(options))});
    }
    return keys;
}

/// Keeps as many candidates as call codes can tell apart.
template <typename Keys>
Keys as_many_as_codes(Keys keys) {
    if (keys.size() > mpi::CallCode::most_candidates)
        keys.erase(keys.begin() + mpi::CallCode::most_candidates, keys.end());
    return keys;
}

/// One size per block. In a neighborhood that is not declared, one size stands for all blocks.
std::vector<std::int64_t> spread(const RuleCandidate& candidate,
                                 std::span<const std::int64_t> block_bytes) {
    const auto blocks = static_cast<std::size_t>(candidate.on_grid->plan().blocks());
    if (block_bytes.size() == 1 && !candidate.on_grid->sums)
        return std::vector<std::int64_t>(blocks, block_bytes.front());
    return {block_bytes.begin(), block_bytes.end()};
}

/// The one size that stands for all blocks on a graph: their mean.
std::int64_t one_size(std::span<const std::int64_t> block_bytes) {
    const auto blocks = std::max<std::int64_t>(1, std::ssize(block_bytes));
    const auto sum = std::accumulate(block_bytes.begin(), block_bytes.end(), std::int64_t{0});
    return (sum + blocks - 1) / blocks;
}

/// Reorders the slots as in this rank's own lists, if their order is not that of the neighborhood.
Schedule in_own_order(Schedule schedule, const Topology& topology, Operation operation) {
    const auto& isomorphism = *topology.definition().isomorphism;
    constexpr std::span<const int> same;
    return schedule::reordered(
        std::move(schedule), schedule::sends_one_block(operation) ? same : isomorphism.send_order,
        topology.outdegree(), schedule::reduces(operation) ? same : isomorphism.recv_order,
        topology.indegree());
}

}  // namespace

std::vector<Routes::Key> candidate_keys(const Topology& topology, const NeighborSettings& settings,
                                        Operation operation) {
    const auto flow = flow_of(operation);
    if (settings.rule != nullptr)
        return with_rearranged(keys_of(*settings.rule, flow, topology, settings), topology,
                               settings);
    const bool alone = is_planned_on_grid(topology, routing::cartesian) && topology.declared();
    const bool may_pay = combining_may_pay(topology, settings, operation);
    if (!alone && !may_pay) return {{&routing::direct, flow}};
    std::vector<Routes::Key> keys;
    for (const auto* rule : routing::rules()) {
        if (!rule->automatic || !competes(*rule, topology)) continue;
        if (!may_pay && !is_planned_on_grid(topology, *rule)) continue;
        const auto of_rule = keys_of(*rule, flow, topology, settings);
        keys.insert(keys.end(), of_rule.begin(), of_rule.end());
    }
    return with_rearranged(std::move(keys), topology, settings);
}

std::vector<Routes::Key> keys_to_compare(const Topology& topology, const NeighborSettings& settings,
                                         Operation operation,
                                         std::span<const std::int64_t> block_bytes) {
    auto keys = candidate_keys(topology, settings, operation);
    if (settings.rule != nullptr) return keys;
    for (const auto& key : std::vector(keys)) {
        if (!is_planned_on_grid(topology, *key.rule)) continue;
        auto& planner = *topology.definition().planner;
        for (const auto& other : planner.others(*key.rule, operation, block_bytes)) {
            keys.push_back(key);
            keys.back().options.limits = other.limits;
        }
    }
    return as_many_as_codes(std::move(keys));
}

RuleCandidate candidate_of(const Topology& topology, const Routes::Key& key, Operation operation,
                           std::span<const std::int64_t> block_bytes) {
    if (!is_planned_on_grid(topology, *key.rule))
        return {key.rule,
                {},
                topology.routes().find(key),
                key.options.arrangement != 0,
                key.rule->knows_nodes ? key.options.carriers : 0};
    auto& planner = *topology.definition().planner;
    return {key.rule, planner.planned(*key.rule, operation, key.options.limits, block_bytes),
            nullptr};
}

std::string RuleCandidate::name() const {
    if (on_grid) return on_grid->name();
    return text_of(routing::NamedRule{rule, {}, carriers}) + (is_rearranged ? ", rearranged" : "");
}

int RuleCandidate::phases() const {
    return on_graph != nullptr ? static_cast<int>(on_graph->load.phases) : on_grid->plan().phases();
}

std::int64_t RuleCandidate::rounds() const {
    return on_graph != nullptr ? on_graph->load.messages() : on_grid->plan().rounds();
}

std::int64_t RuleCandidate::volume() const {
    return on_graph != nullptr ? on_graph->load.blocks() : on_grid->volume();
}

bool combining_may_pay(const NeighborSettings& settings, const choose::Load& direct) {
    return choose::estimate(settings.machine(), direct) >
           2 * (settings.model.alpha + settings.model.sigma);
}

std::vector<int> carriers_to_try(const NeighborSettings& settings, const topology::Nodes* nodes) {
    const int asked = settings.options.carriers;
    if (asked > 0 || nodes == nullptr) return {std::max(1, asked)};
    const int most = nodes->most_ranks();
    std::vector<int> tries;
    for (const int carriers : {1, routing::side_of(most, 2), most})
        if (tries.empty() || tries.back() < carriers) tries.push_back(carriers);
    return tries;
}

NeighborSettings chosen_for(const Topology& topology, NeighborSettings settings) {
    if (settings.rule == nullptr && settings.preferred != nullptr &&
        applies(*settings.preferred, topology))
        settings.rule = settings.preferred;
    return settings;
}

bool candidates_planned(const Topology& topology, const NeighborSettings& settings,
                        Operation operation) {
    if (settings.rule == nullptr && !topology.declared() &&
        topology.routes().find({&routing::direct, flow_of(operation)}) == nullptr)
        return false;
    for (const auto& key : candidate_keys(topology, settings, operation)) {
        if (is_planned_on_grid(topology, *key.rule)) continue;
        if (!applies(*key.rule, topology))
            throw mpi::Error(MPI_ERR_INFO_VALUE,
                             "carpool_algorithm in the info is '" + std::string(key.rule->name) +
                                 "', which needs the same neighborhood on all ranks of a torus or "
                                 "mesh, expected a rule of graphs or auto");
        if (key.rule->writes_digits)
            arguments::check_digits(key.options.digits, settings.digits_source, topology.ranks());
        if (topology.routes().find(key) == nullptr) return false;
    }
    return true;
}

/// On a graph that lists describe for one call, the load of direct is not known yet, and it shows
/// whether another rule is worth planning. The load of a virtual topology shows whether to
/// rearrange it.
engine::Steps<void> plan_candidates(Topology& topology, NeighborSettings settings,
                                    Operation operation, Routes::Occasion occasion) {
    if (!topology.declared()) {
        Routes::Key direct{&routing::direct, flow_of(operation)};
        co_await topology.routes().plan(std::move(direct), topology.graph(), occasion);
    }
    do {
        const auto keys = candidate_keys(topology, settings, operation);
        for (const auto& key : keys) {
            if (is_planned_on_grid(topology, *key.rule)) continue;
            co_await topology.routes().plan(key, topology.graph(), occasion);
        }
    } while (!candidates_planned(topology, settings, operation));
}

std::vector<RuleCandidate> candidates(const Topology& topology, const NeighborSettings& settings,
                                      Operation operation,
                                      std::span<const std::int64_t> block_bytes) {
    std::vector<RuleCandidate> result;
    for (const auto& key : keys_to_compare(topology, settings, operation, block_bytes))
        result.push_back(candidate_of(topology, key, operation, block_bytes));
    return result;
}

choose::Load load_of(const RuleCandidate& candidate, std::span<const std::int64_t> block_bytes,
                     const choose::Machine& machine) {
    if (candidate.on_graph != nullptr)
        return candidate.on_graph->load.with_blocks_of(one_size(block_bytes));
    return candidate.on_grid->load(spread(candidate, block_bytes), machine);
}

RuleCandidate direct_candidate(const Topology& topology, Operation operation) {
    return candidate_of(topology, {&routing::direct, flow_of(operation)}, operation);
}

Schedule placed(const Topology& topology, const RuleCandidate& candidate, Operation operation,
                std::span<const std::int64_t> block_bytes) {
    if (candidate.on_graph != nullptr)
        return schedule::place(candidate.on_graph->itinerary, operation, topology.edges(),
                               candidate.on_graph->load.phases, block_bytes);
    auto schedule = topology.definition().planner->placed(
        *candidate.on_grid, operation, topology.rank(), spread(candidate, block_bytes));
    if (topology.declared()) return schedule;
    return in_own_order(std::move(schedule), topology, operation);
}

}  // namespace carpool::neighbor
