// SPDX-License-Identifier: MIT
#include "sparse/strategy.hpp"

#include "routing/digits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

namespace carpool::sparse {
namespace {

int bits_of(int ranks) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}

std::int64_t length(double bytes) { return static_cast<std::int64_t>(std::min(bytes, 1e18)); }

std::int64_t rounded(double number) { return std::llround(std::min(number, 1e18)); }

/// Whether parcels go straight. If their mean size is too long all do, else all are combined.
bool goes_straight(const Strategy& strategy, const Demand& demand) {
    return static_cast<double>(demand.flow) >
           static_cast<double>(demand.degree) * static_cast<double>(strategy.longest);
}

/// Adds a message for each parcel.
void add_straight(choose::Load& load, const Demand& demand, choose::Level level) {
    load.at(level).messages += demand.degree;
    load.at(level).bytes += demand.flow;
}

/// The load of the messages, and of a counting barrier or an agreement along a tree.
choose::Load direct_load(const Demand& demand, int ranks, const choose::Machine& machine,
                         bool barrier) {
    const int agreeing = barrier ? 0 : 2;
    choose::Load load;
    load.at(machine.widest()) = {agreeing, 0, 0};
    add_straight(load, demand, machine.widest());
    load.mean_messages = static_cast<double>(demand.degree + agreeing);
    load.phases = 1 + (barrier ? 1 : 2 * bits_of(ranks));
    load.assembled = machine.ranks_per_core() * static_cast<double>(demand.degree);
    return load;
}

/// The traffic of some digits. A phase carries the parcels whose targets differ in its digit.
choose::Traffic traffic_of(std::span<const int> factors, double flow) {
    const auto values = std::accumulate(factors.begin(), factors.end(), std::int64_t{0});
    return {values - std::ssize(factors), 0, rounded(routing::mean_hops(factors) * flow)};
}

/// The load of one message to each partner, even if it is empty.
choose::Load digit_load(const Strategy& strategy, const Demand& demand,
                        const choose::Machine& machine) {
    const bool straight = goes_straight(strategy, demand);
    const auto flow = straight ? 0 : static_cast<double>(demand.flow);
    const std::span factors(strategy.factors);
    const auto on_node = factors.first(strategy.node > 1 ? 1 : 0);
    const auto to_nodes = factors.subspan(on_node.size());
    choose::Load load;
    load.at(choose::Level::node) = traffic_of(on_node, flow);
    auto& widest = load.at(machine.widest());
    const auto far = traffic_of(to_nodes, flow);
    widest = {widest.messages + far.messages, 0, widest.bytes + far.bytes};
    if (straight) add_straight(load, demand, machine.widest());
    load.mean_messages = static_cast<double>(load.messages());
    load.phases = std::ssize(factors);
    load.phases_on_node = std::ssize(on_node);
    load.assembled = machine.ranks_per_core() * load.mean_messages;
    return load;
}

/// The load of two messages per rank, and of all messages on the core of rank 0.
choose::Load star_load(const Strategy& strategy, const Demand& demand, int ranks,
                       const choose::Machine& machine) {
    const double per_core = machine.ranks_per_core();
    const auto messages = rounded(std::max(ranks - 1.0, 2 * per_core));
    const bool straight = goes_straight(strategy, demand);
    choose::Load load;
    load.at(machine.widest()) = {
        messages, 0,
        straight ? 0 : rounded(static_cast<double>(ranks) * static_cast<double>(demand.flow))};
    if (straight)
        add_straight(load,
                     {rounded(per_core * static_cast<double>(demand.degree)),
                      rounded(per_core * static_cast<double>(demand.flow))},
                     machine.widest());
    load.phases = 2;
    load.assembled = static_cast<double>(load.messages());
    return load;
}

}  // namespace

Strategy direct_strategy() { return {Strategy::Kind::direct, {}, length(1e18)}; }

/// Limits parcels by what the hops beyond the first, and the copies, cost.
Strategy digit_strategy(const choose::Machine& machine, std::vector<int> factors) {
    const double hops = std::max(1.0, routing::mean_hops(factors));
    const int node = routing::node_of(factors, machine.nodes().get());
    return {Strategy::Kind::digits, std::move(factors),
            choose::longest_worth_combining(machine.cost(machine.widest()), hops), node};
}

/// One core handles all combined messages; separate messages are spread over all cores.
Strategy star_strategy(const choose::CostModel& model, double cores) {
    return {Strategy::Kind::star,
            {},
            length((model.alpha_of_many() + choose::assembly_per_message) /
                   (2 * model.beta * std::max(1.0, cores)))};
}

std::vector<Strategy> strategies(const choose::Machine& machine, int ranks) {
    std::vector<Strategy> result{direct_strategy()};
    for (int count = 1; count <= bits_of(ranks); ++count)
        result.push_back(digit_strategy(machine, routing::near_equal_factors(ranks, count)));
    const int node = machine.nodes() ? machine.nodes()->in_a_row() : 1;
    for (int count = 1; node > 1 && count <= bits_of(ranks / node); ++count)
        result.push_back(digit_strategy(machine, routing::node_factors(ranks, node, count)));
    result.push_back(
        star_strategy(machine.cost(machine.widest()), ranks / machine.ranks_per_core()));
    return result;
}

std::string name_of(Strategy::Kind kind) {
    switch (kind) {
        case Strategy::Kind::direct:
            return "direct";
        case Strategy::Kind::digits:
            return "digits";
        case Strategy::Kind::star:
            return "star";
    }
    return {};
}

std::string name_of(const Strategy& strategy) {
    std::string name = name_of(strategy.kind);
    for (const char* before = " "; const int factor : strategy.factors) {
        name += before + std::to_string(factor);
        before = "x";
    }
    return name;
}

choose::Load load_of(const Strategy& strategy, const Demand& demand, int ranks,
                     const choose::Machine& machine, bool barrier) {
    switch (strategy.kind) {
        case Strategy::Kind::direct:
            return direct_load(demand, ranks, machine, barrier);
        case Strategy::Kind::digits:
            return digit_load(strategy, demand, machine);
        case Strategy::Kind::star:
            return star_load(strategy, demand, ranks, machine);
    }
    return {};
}

}  // namespace carpool::sparse
