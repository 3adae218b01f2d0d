#include "collectives/choice.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace carpool::collectives {
namespace {

using choose::Load;
using choose::Machine;

/// Adds the leaders of the first, the last and the largest node, and the last rank of the largest
/// node, which leads no node if there is another rank on it.
void add_of_nodes(std::vector<int>& ranks, const topology::Nodes& nodes) {
    int largest = 0;
    for (int node = 1; node < nodes.count(); ++node)
        if (nodes.ranks_of(node).size() > nodes.ranks_of(largest).size()) largest = node;
    for (const int node : {0, nodes.count() - 1, largest})
        ranks.push_back(nodes.ranks_of(node).front());
    ranks.push_back(nodes.ranks_of(largest).back());
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

/// Ranks one of which is as busy as any: the root; rank 0, the root of trees where an operator does
/// not commute; the rank furthest from the root; the top of the tree of a scan; leaders of nodes.
/// And a rank that sends as little to other nodes as any rank of its node.
std::vector<int> counted_ranks(const Problem& problem) {
    std::vector<int> ranks{problem.root};
    if (problem.ranks > 1) ranks.push_back((problem.root + problem.ranks - 1) % problem.ranks);
    if (!problem.commutes && problem.root > 1) ranks.push_back(0);
    const bool scans = problem.kind == Kind::scan || problem.kind == Kind::exscan;
    if (scans && problem.ranks > 3)
        ranks.push_back(static_cast<int>(std::bit_floor(static_cast<unsigned>(problem.ranks))) / 2 -
                        1);
    if (problem.nodes) add_of_nodes(ranks, *problem.nodes);
    return ranks;
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

/// The load of the busiest rank with the long blocks. If blocks are sent directly from source to
/// target there are no more messages than blocks.
Load with_unequal(Load load, const Algorithm& algorithm, const Problem& problem,
                  choose::Level widest) {
    if (!algorithm.forwards) {
        const auto far = at_most(*problem.degree, load.at(choose::Level::network));
        auto near = at_most(*problem.degree, choose::of_both_levels(load.traffic));
        load.traffic = {near -= far, far};
        load.beside = at_most(*problem.degree, load.beside);
    }
    const auto& [blocks, bytes, of_all] = problem.long_blocks;
    return load.with_straight(
        {algorithm.forwards ? blocks : 0, algorithm.forwards ? blocks : 0, bytes}, widest);
}

}  // namespace

Load load_of(const Algorithm& algorithm, const Problem& problem, const Machine& machine) {
    constexpr auto any = std::numeric_limits<std::int64_t>::max();
    Load load;
    auto least = any;
    choose::Traffic beside{any, any, any};
    for (const int rank : counted_ranks(problem)) {
        const auto counted = choose::load_of(schedule_of(algorithm, problem, rank), rank, machine);
        load = choose::most(load, counted);
        least = std::min(least, counted.temp_bytes);
        beside = choose::least(beside, counted.at(choose::Level::network));
    }
    load.mean_messages = mean_messages(algorithm, problem);
    load.beside = beside;
    if (algorithm.forwards && problem.kind == Kind::alltoall) {
        load.forwarded = load.temp_bytes;
        load.forwarded_by_all = least;
    }
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
