// SPDX-License-Identifier: MIT
#include "collectives/algorithm.hpp"
#include "collectives/carriers.hpp"
#include "collectives/conditions.hpp"
#include "collectives/message_counts.hpp"
#include "collectives/node_teams.hpp"
#include "collectives/piece_counts.hpp"
#include "collectives/travel.hpp"
#include "collectives/tree_stages.hpp"
#include "routing/digits.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace carpool::collectives {
namespace {

/// Sends each block itself. A block is sent only after the one `window` distances before has
/// arrived, so at most `window` messages of a rank are in flight: thousands at once stall some
/// networks. A send waits only for a block of a smaller distance, so there is no cycle.
template <int window>
void in_windows(Script& script) {
    std::vector<std::optional<Part>> arrived(1);  // by distance, the last block that counts
    for (int distance = 1; distance < script.ranks(); ++distance) {
        const int to = script.away(distance);
        const int from = script.away(-distance);
        const int phase = (distance - 1) / window;
        script.send(phase, to, {script.own(to)});
        script.receive(phase, from, {script.result(from)});
        const bool counts = script.counts(script.result(from));
        arrived.push_back(counts ? script.result(from) : arrived.back());
        if (distance <= window) continue;
        if (const auto& before = arrived[static_cast<std::size_t>(distance - window)])
            script.await(script.own(to), *before);
    }
    script.keep_own();
}

/// On machines that stall (docs/evidence.md), from 50 to 110 messages of a rank pass easily.
constexpr auto spread = in_windows<64>;
constexpr auto pairwise = in_windows<1>;

using Factors = std::vector<int>;

Factors two_digits(const Problem& problem) { return routing::near_equal_factors(problem.ranks, 2); }

Factors three_digits(const Problem& problem) {
    return routing::near_equal_factors(problem.ranks, 3);
}

/// As many factors of one radix as are needed.
template <int radix>
Factors powers(const Problem& problem) {
    Factors factors;
    while (routing::span_of(factors) < problem.ranks) factors.push_back(radix);
    return factors;
}

Factors as_told(const Problem& problem) { return problem.digits.of(problem.ranks); }

template <Factors (*factors)(const Problem&)>
void by_digits(Script& script) {
    travel_by_digits(script, factors(script.problem()));
}

template <Factors (*factors)(const Problem&)>
std::int64_t messages_of(const Problem& problem) {
    return messages_by_digits(problem.ranks, factors(problem));
}

template <routing::NextHop (*next_hop)(int ranks)>
void by_hops(Script& script) {
    travel(script, next_hop(script.ranks()));
}

template <std::int64_t (*messages)(int ranks)>
std::int64_t messages_of(const Problem& problem) {
    return messages(problem.ranks);
}

bool if_digits_suffice(const Problem& problem) { return problem.digits.suffice(problem.ranks); }

/// The parts of all ranks but one.
Parts parts_of_others(const Script& script, int rank, const auto& part_of) {
    Parts parts;
    for (int other = 0; other < script.ranks(); ++other)
        if (other != rank) parts.push_back(part_of(other));
    return parts;
}

/// Sends all blocks through rank 0, which sorts them; no algorithm needs fewer messages.
template <int radix>
void by_root(Script& script) {
    const auto tree = tree_of<radix>(script);
    // the parts on the root, by source and target
    std::vector<Parts> from(static_cast<std::size_t>(script.ranks()));
    gather(script, tree, [&](int source) {
        const auto blocks = parts_of_others(script, source, [&](int target) {
            if (source == script.rank()) return script.own(target);
            return tree.is_root() && target == 0 ? script.result(source) : script.temp();
        });
        return from[static_cast<std::size_t>(source)] = blocks;
    });
    scatter(script, tree, [&](int target) {
        return parts_of_others(script, target, [&](int source) {
            if (target == script.rank()) return script.result(source);
            if (!tree.is_root()) return script.temp();
            return from[static_cast<std::size_t>(source)]
                       [static_cast<std::size_t>(target < source ? target : target - 1)];
        });
    });
    script.keep_own();
}

Algorithm straight(std::string_view name, void (*write)(Script&)) {
    return {Kind::alltoall, name, always, whole, write, all_to_all};
}

/// An algorithm whose blocks are forwarded by other ranks.
Algorithm combining(std::string_view name, bool (*applies)(const Problem&), void (*write)(Script&),
                    std::int64_t (*messages)(const Problem&)) {
    return {Kind::alltoall, name, applies, whole, write, messages, true};
}

/// The same, in stages within nodes and between nodes.
Algorithm combining_by_node(std::string_view name, bool (*applies)(const Problem&),
                            void (*write)(Script&), std::int64_t (*messages)(const Problem&)) {
    auto algorithm = combining(name, applies, write, messages);
    algorithm.by_node = true;
    return algorithm;
}

/// @tparam most  the largest number of carriers of a node
template <int most>
void by_carriers(Script& script) {
    carry(script, most);
}

template <int most>
std::int64_t messages_of_carriers(const Problem& problem) {
    return messages_by_carriers(problem, most);
}

template <int most>
Algorithm with_carriers(std::string_view name) {
    return combining_by_node(name, if_few_on_nodes, by_carriers<most>, messages_of_carriers<most>);
}

/// A virtual topology of [5]. Digits are as good or better, so it is no candidate of "auto".
template <routing::NextHop (*next_hop)(int), std::int64_t (*messages)(int)>
Algorithm virtual_topology(std::string_view name) {
    auto algorithm = combining(name, always, by_hops<next_hop>, messages_of<messages>);
    algorithm.automatic = false;
    return algorithm;
}

template <Factors (*factors)(const Problem&)>
Algorithm with_digits(std::string_view name) {
    return combining(name, always, by_digits<factors>, messages_of<factors>);
}

/// @tparam digits  of the place on the node
template <int digits>
Factors digits_of_place(const Problem& problem) {
    return routing::near_equal_factors(ranks_of_largest_node(problem), digits);
}

Factors digit_of_node(const Problem& problem) { return {nodes_of(problem)}; }

/// Where nodes have unequal numbers of ranks: digits of the distance in ranks, as many as place and
/// node have together.
template <int digits>
Factors digits_of_distance(const Problem& problem) {
    return routing::near_equal_factors(problem.ranks, digits + 1);
}

template <int digits>
void by_node_digits(Script& script) {
    if (!if_nodes_equal(script.problem())) return by_digits<digits_of_distance<digits>>(script);
    travel_by_node(script, digits_of_place<digits>(script.problem()),
                   digit_of_node(script.problem()));
}

template <int digits>
std::int64_t messages_of_node_digits(const Problem& problem) {
    if (!if_nodes_equal(problem)) return messages_of<digits_of_distance<digits>>(problem);
    const int places = ranks_of_largest_node(problem);
    const int nodes = nodes_of(problem);
    return nodes * messages_by_digits(places, digits_of_place<digits>(problem)) +
           places * messages_by_digits(nodes, digit_of_node(problem));
}

template <int digits>
Algorithm with_node_digits(std::string_view name) {
    return combining_by_node(name, always, by_node_digits<digits>, messages_of_node_digits<digits>);
}

/// How many of the factors, the first ones, number the places on a node; 0 if they do not tell
/// places and nodes apart.
std::size_t factors_of_place(const Problem& problem, std::span<const int> factors) {
    if (routing::span_of(factors) != problem.ranks || !if_nodes_equal(problem)) return 0;
    std::size_t count = 0;
    while (routing::span_of(factors.first(count)) < ranks_of_largest_node(problem)) ++count;
    return routing::span_of(factors.first(count)) == ranks_of_largest_node(problem) ? count : 0;
}

/// Within the nodes, then between them, if the factors allow it.
void by_digits_as_told(Script& script) {
    const auto factors = as_told(script.problem());
    const auto places = static_cast<std::ptrdiff_t>(factors_of_place(script.problem(), factors));
    const auto first_of_node = factors.begin() + places;
    if (places == 0 || first_of_node == factors.end()) return travel_by_digits(script, factors);
    travel_by_node(script, {factors.begin(), first_of_node}, {first_of_node, factors.end()});
}

Algorithm with_digits_as_told() {
    auto algorithm =
        combining("digits", if_digits_suffice, by_digits_as_told, messages_of<as_told>);
    algorithm.automatic = false;
    return algorithm;
}

const std::array list{
    straight("spread", spread),
    straight("pairwise", pairwise),
    with_digits<two_digits>("2-digits"),
    with_digits<three_digits>("3-digits"),
    with_digits<powers<4>>("4-bruck"),
    with_digits<powers<2>>("bruck"),
    combining("gather-scatter", if_few, by_root<2>, both_ways),
    combining("star", if_few, by_root<0>, both_ways),
    with_carriers<every_rank>("node"),
    with_carriers<1>("node-leaders"),
    with_node_digits<1>("node-2-digits"),
    with_node_digits<2>("node-3-digits"),
    with_digits_as_told(),
    virtual_topology<routing::mesh_hops, messages_on_mesh>("mesh"),
    virtual_topology<routing::grid_hops, messages_on_grid>("grid"),
    virtual_topology<routing::hypercube_hops, messages_on_hypercube>("hypercube"),
};

}  // namespace

std::span<const Algorithm> alltoall_algorithms() { return list; }

}  // namespace carpool::collectives
