// SPDX-License-Identifier: MIT
#include "collectives/choice.hpp"

#include "choose/path.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace carpool::collectives {
namespace {

using choose::Load;
using choose::Machine;

/// A rank whose schedule is looked at, and how many ranks of the largest node do what it does.
struct Sample {
    int rank;
    double of_node = 0;
};

/// Adds the first and the last rank of the largest node, and some between them that stand for all
/// others; and the leaders of the first and the last node. Of several largest nodes the last is
/// looked at: it has more leaders where ranks are folded in pairs from the first ones on.
void add_of_nodes(std::vector<Sample>& samples, const topology::Nodes& nodes) {
    int largest = 0;
    for (int node = 1; node < nodes.count(); ++node)
        if (nodes.ranks_of(node).size() >= nodes.ranks_of(largest).size()) largest = node;
    for (const int node : {0, nodes.count() - 1}) samples.push_back({nodes.ranks_of(node).front()});
    const auto ranks = nodes.ranks_of(largest);
    samples.push_back({ranks.front(), 1});
    if (ranks.size() > 1) samples.push_back({ranks.back(), 1});
    if (ranks.size() <= 2) return;
    const auto between = ranks.size() - 2;
    const auto looked_at = std::min<std::size_t>(between, 3);
    for (std::size_t i = 0; i < looked_at; ++i)
        samples.push_back({ranks[1 + between * (2 * i + 1) / (2 * looked_at)],
                           static_cast<double>(between) / static_cast<double>(looked_at)});
}

/// Ranks one of which is as busy as any: the root; rank 0, the root of trees where an operator does
/// not commute; the rank furthest from the root; that of the longest block; the top of the tree of
/// a scan; leaders of nodes. And other ranks of a node, which share its adapter.
std::vector<Sample> samples_of(const Problem& problem) {
    std::vector<Sample> samples{{problem.root}};
    if (problem.ranks > 1) samples.push_back({(problem.root + problem.ranks - 1) % problem.ranks});
    if (!problem.commutes && problem.root > 1) samples.push_back({0});
    if (problem.bytes.size() > 1)
        samples.push_back(
            {static_cast<int>(std::ranges::max_element(problem.bytes) - problem.bytes.begin())});
    const bool scans = problem.kind == Kind::scan || problem.kind == Kind::exscan;
    if (scans && problem.ranks > 3)
        samples.push_back(
            {static_cast<int>(std::bit_floor(static_cast<unsigned>(problem.ranks))) / 2 - 1});
    if (problem.nodes) add_of_nodes(samples, *problem.nodes);
    std::ranges::sort(samples, {},
                      [](const Sample& one) { return std::pair(one.rank, -one.of_node); });
    const auto same = [](const Sample& one, const Sample& other) { return one.rank == other.rank; };
    samples.erase(std::unique(samples.begin(), samples.end(), same), samples.end());
    return samples;
}

/// The messages of all ranks together. If blocks differ in size, most pairs of ranks may have none;
/// long blocks are not forwarded.
std::int64_t sent_by_all(const Algorithm& algorithm, const Problem& problem) {
    const auto all = algorithm.messages(problem);
    if (algorithm.forwards) return all + problem.long_blocks.of_all;
    if (!problem.degree) return all;
    return std::min(all, *problem.degree * problem.ranks);
}

double mean_messages(const Algorithm& algorithm, const Problem& problem) {
    return static_cast<double>(sent_by_all(algorithm, problem)) / problem.ranks;
}

/// A lower bound of the load: the number of messages alone.
Load least_load(const Algorithm& algorithm, const Problem& problem) {
    Load load;
    load.mean_messages = mean_messages(algorithm, problem);
    load.phases = load.mean_messages > 0 ? 1 : 0;
    return load;
}

/// No more messages and blocks than that.
choose::Traffic at_most(std::int64_t degree, choose::Traffic traffic) {
    traffic.messages = std::min(traffic.messages, degree);
    traffic.blocks = std::min(traffic.blocks, degree);
    return traffic;
}

choose::TrafficByLevel at_most(std::int64_t degree, const choose::TrafficByLevel& traffic) {
    return choose::by_level(at_most(degree, choose::of_both_levels(traffic)),
                            at_most(degree, traffic[choose::index_of(choose::Level::network)]));
}

/// The load of the busiest rank with the long blocks. If blocks are sent directly from source to
/// target there are no more messages than blocks.
Load with_unequal(Load load, const Algorithm& algorithm, const Problem& problem,
                  choose::Level widest) {
    if (!algorithm.forwards) {
        for (auto* const side : {&load.traffic, &load.sent, &load.received})
            *side = at_most(*problem.degree, *side);
        load.path.clear();
        load.phases = std::min(load.phases, *problem.degree);
        load.phases_on_node = std::min(load.phases_on_node, load.phases);
        const std::int64_t ranks = problem.nodes ? problem.nodes->most_ranks() : 1;
        load.adapter = at_most(*problem.degree * ranks, load.adapter);
    }
    const auto& [blocks, bytes, of_all] = problem.long_blocks;
    return load.with_straight(
        {algorithm.forwards ? blocks : 0, algorithm.forwards ? blocks : 0, bytes}, widest);
}

}  // namespace

Load load_of(const Algorithm& algorithm, const Problem& problem, const Machine& machine) {
    Load load;
    auto least = std::numeric_limits<std::int64_t>::max();
    choose::Path path;
    for (const auto& [rank, of_node] : samples_of(problem)) {
        const auto schedule = schedule_of(algorithm, problem, rank);
        const auto phases = choose::phases_of(schedule, rank, machine);
        const auto counted = choose::load_of(schedule, phases);
        load = choose::most(load, counted);
        least = std::min(least, counted.copied);
        path.add(phases, of_node);
    }
    load.mean_messages = std::min(mean_messages(algorithm, problem),
                                  static_cast<double>(load.messages()));  // empty ones are not sent
    load.copied_by_all = least;
    load.go_along(path.found(machine));
    return problem.degree ? with_unequal(load, algorithm, problem, machine.widest()) : load;
}

std::vector<const Algorithm*> applicable(const Problem& problem) {
    std::vector<const Algorithm*> result;
    for (const auto& algorithm : algorithms(problem.kind))
        if (algorithm.automatic && is_told_of(algorithm, problem) && algorithm.applies(problem))
            result.push_back(&algorithm);
    return result;
}

choose::Candidate candidate(const Algorithm& algorithm, const Problem& problem,
                            const Machine& machine) {
    return {[&algorithm, &problem, machine] { return load_of(algorithm, problem, machine); },
            estimate(machine, least_load(algorithm, problem))};
}

/// The key consists of all that the problem consists of. If two problems had one key, a rank might
/// take for one of them the choice made for the other, and another rank might not.
choose::PastChoices::Key key_of(const Problem& problem, const Machine& machine) {
    const auto& [kind, ranks, root, bytes, sent, received, degree, long_blocks, digits, commutes,
                 unit, segment, keeps_empty, nodes] = problem;
    auto key = machine.numbers();
    const auto add = [&key](const std::vector<std::int64_t>& numbers) {
        key.push_back(static_cast<std::int64_t>(numbers.size()));
        key.insert(key.end(), numbers.begin(), numbers.end());
    };
    add({static_cast<std::int64_t>(kind), ranks, root, degree.value_or(-1), commutes ? 1 : 0, unit,
         segment, keeps_empty ? 1 : 0});
    add({nodes ? static_cast<std::int64_t>(nodes->digest()) : 0});
    add(routing::numbers_of(digits));
    add({long_blocks.blocks, long_blocks.bytes, long_blocks.of_all});
    for (const auto* sizes : {&bytes, &sent, &received}) add(*sizes);
    return key;
}

ChosenAlgorithm cheapest(const Machine& machine, const Problem& problem) {
    const auto algorithms = applicable(problem);
    std::vector<choose::Candidate> candidates;
    for (const auto* algorithm : algorithms)
        candidates.push_back(candidate(*algorithm, problem, machine));
    const auto chosen = choose::cheapest(machine, candidates);
    return {algorithms[chosen.number], chosen.load};
}

}  // namespace carpool::collectives
