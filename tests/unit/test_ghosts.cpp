// SPDX-License-Identifier: MIT
// Maps of ghosts, and the routes of their exchanges.

#include "ghosts/classes.hpp"
#include "ghosts/neighbors.hpp"
#include "ghosts/pairs.hpp"
#include "simulated_ghosts.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_ghosts)

using namespace carpool;
using schedule::SummandOrder;

namespace {

GhostSets three_ranks() {
    GhostSets sets{"by hand", {4, 1, 0}, {{}, {}, {}}, {{}, {}, {}}};
    sets.add(1, 0, 3);  // rank 1 wants 3, 1 and 3 once more of rank 0, and its own
    sets.add(1, 0, 1);
    sets.add(1, 0, 3);
    sets.add(1, 1, 0);
    sets.add(2, 0, 1);
    sets.add(2, 0, 0);
    return sets;
}

using List = std::vector<std::int64_t>;

List list_of(std::span<const std::int64_t> indices) { return {indices.begin(), indices.end()}; }

/// The (entry, node) pairs whose entries another node wants: what crosses the network at least.
std::int64_t pairs_between_nodes(const GhostSets& sets, const topology::Nodes& nodes) {
    std::set<std::tuple<int, std::int64_t, int>> pairs;
    for (int rank = 0; rank < sets.ranks(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        for (std::size_t i = 0; i < sets.owners[r].size(); ++i)
            if (nodes.node(sets.owners[r][i]) != nodes.node(rank))
                pairs.emplace(sets.owners[r][i], sets.indices[r][i], nodes.node(rank));
    }
    return std::ssize(pairs);
}

std::int64_t entries_between_nodes(std::span<const schedule::Schedule> schedules,
                                   const topology::Nodes& nodes) {
    std::int64_t entries = 0;
    for (std::size_t rank = 0; rank < schedules.size(); ++rank)
        for (const auto& round : schedules[rank].rounds)
            if (!round.send.parts.empty() &&
                nodes.node(static_cast<int>(rank)) != nodes.node(round.send.peer))
                entries += schedule::bytes_of(round.send);
    return entries;
}

/// The maps of all ranks.
std::vector<ghosts::GhostMap> maps_by_pairs(const GhostSets& sets) {
    const SimulatedGhosts all(sets);
    std::vector<ghosts::GhostMap> pairs;
    for (int rank = 0; rank < sets.ranks(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        pairs.push_back(ghosts::by_pairs(all.map(rank), rank, {sets.owners[r], sets.indices[r]}));
    }
    return pairs;
}

/// A ghost with its entry: position, owner and index.
using Arrivals = std::multiset<std::tuple<std::int64_t, int, std::int64_t>>;

Arrivals expected_arrivals(const GhostSets& sets, int rank) {
    const auto r = static_cast<std::size_t>(rank);
    Arrivals all;
    for (std::size_t ghost = 0; ghost < sets.owners[r].size(); ++ghost)
        all.emplace(ghost, sets.owners[r][ghost], sets.indices[r][ghost]);
    return all;
}

/// Which entries a rank's ghosts get. Both ends of a pair list its blocks by their labels.
Arrivals arrivals_by_pairs(const std::vector<ghosts::GhostMap>& pairs, int rank) {
    const auto& own = pairs[static_cast<std::size_t>(rank)];
    std::map<int, std::map<int, std::vector<std::size_t>>> edges;  // by owner and label
    for (std::size_t i = 0; i < own.edges.in.size(); ++i)
        edges[own.edges.in[i].peer][own.edges.in[i].label].push_back(i);
    Arrivals all;
    for (const auto& [owner, by_label] : edges) {
        const auto& theirs = pairs[static_cast<std::size_t>(owner)];
        auto block = by_label.begin();
        for (const auto& [taker, label] : theirs.edges.out) {
            if (taker != rank) continue;
            const auto entries = theirs.sent[static_cast<std::size_t>(label)];
            for (const auto edge : (block++)->second)
                for (std::size_t e = 0; e < entries.size(); ++e)
                    all.emplace(own.received[edge][e], owner, entries[e]);
        }
    }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(entries_that_the_same_ranks_take_equally_often_are_one_class) {
    const auto sets = three_ranks();
    const SimulatedGhosts all(sets);
    const auto& owner = all.map(0);
    BOOST_TEST(owner.sent.size() == 3U);
    BOOST_TEST(list_of(owner.sent[0]) == List{0});  // rank 2 takes it
    BOOST_TEST(list_of(owner.sent[1]) == List{1});  // ranks 1 and 2
    BOOST_TEST(list_of(owner.sent[2]) == List{3});  // rank 1, twice
    const std::vector<topology::Edge> out{{2, 0}, {1, 1}, {2, 1}, {1, 2}};
    BOOST_TEST((owner.edges.out == out));
    const auto& taker = all.map(1);
    const std::vector<topology::Edge> in{{0, 1}, {0, 2}, {0, 2}, {1, 0}};
    BOOST_TEST((taker.edges.in == in));
    BOOST_TEST(list_of(taker.received[0]) == List{1});
    BOOST_TEST(list_of(taker.received[1]) == List{0});
    BOOST_TEST(list_of(taker.received[2]) == List{2});
    BOOST_TEST(list_of(taker.received[3]) == List{3});
}

BOOST_AUTO_TEST_CASE(a_map_with_a_mistake_is_noticed) {
    const auto sets = three_ranks();
    using Faults = std::vector<std::string>;
    const auto faults_after = [&](const auto& spoil) {
        SimulatedGhosts all(sets);
        spoil(all);
        return all.faults();
    };
    const auto position = faults_after([](auto& all) { all.map(1).received[0][0] = 2; });
    const auto entry = faults_after([](auto& all) { all.map(0).sent[2][0] = 2; });
    const auto edges = faults_after([](auto& all) {
        auto& in = all.map(2).edges.in;
        std::swap(in[0].label, in[1].label);
    });
    const auto length = faults_after([](auto& all) { all.map(1).entries.in[0] = 2; });
    BOOST_TEST(faults_after([](auto&) {}).empty());
    BOOST_TEST(position == Faults{"rank 1 differs"});
    BOOST_TEST(entry == Faults{"rank 1 differs"});
    BOOST_TEST(edges == Faults{"rank 2 differs"});
    BOOST_TEST(length == Faults{"rank 1: a block has another length"});
}

BOOST_AUTO_TEST_CASE(a_pair_of_ranks_has_one_block_for_each_number_of_times) {
    const auto sets = three_ranks();
    const auto owner = maps_by_pairs(sets)[0];
    const std::vector<topology::Edge> out{{1, 0}, {1, 1}, {2, 2}};
    BOOST_TEST((owner.edges.out == out));
    BOOST_TEST((owner.times == std::vector{1, 2, 1}));
    BOOST_TEST(list_of(owner.sent[0]) == List{1});
    BOOST_TEST(list_of(owner.sent[1]) == List{3});
    BOOST_TEST(list_of(owner.sent[2]) == (List{0, 1}));
}

BOOST_AUTO_TEST_CASE(blocks_of_pairs_arrive_at_ghosts_of_their_entries) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < random_cases(300); ++i) {
        RandomSource random(seed + i);
        const auto sets = random_ghosts(random, up_to(24));
        BOOST_TEST_INFO("CARPOOL_SEED=" << seed + i << " " << sets.shape);
        const auto pairs = maps_by_pairs(sets);
        for (int rank = 0; rank < sets.ranks(); ++rank)
            BOOST_TEST((arrivals_by_pairs(pairs, rank) == expected_arrivals(sets, rank)));
    }
}

BOOST_AUTO_TEST_CASE(neighbors_are_told_with_their_entries) {
    const auto sets = three_ranks();
    const SimulatedGhosts all(sets);
    ghosts::Neighbors of_owner;
    const auto& targets = of_owner.targets(all.map(0));
    BOOST_REQUIRE(targets.size() == 2U);
    BOOST_TEST(targets[0].rank == 1);
    BOOST_TEST(targets[0].indices == (List{1, 3}));
    BOOST_TEST(targets[1].indices == (List{0, 1}));
    ghosts::Neighbors of_taker;
    const auto& sources = of_taker.sources(all.map(1));
    BOOST_REQUIRE(sources.size() == 2U);
    BOOST_TEST(sources[0].indices == (List{0, 1, 2}));
    BOOST_TEST(sources[1].indices == (List{3}));
}

BOOST_AUTO_TEST_CASE(an_entry_that_does_not_exist_is_named_by_the_rank_that_wants_it) {
    auto sets = three_ranks();
    sets.add(2, 1, 1);  // rank 1 has one entry
    const auto simulated =
        routing::simulate<std::variant<ghosts::GhostMap, ghosts::NoSuchEntry>>(3, [&](int rank) {
            const auto r = static_cast<std::size_t>(rank);
            return ghosts::find_map(sets.owned[r], {sets.owners[r], sets.indices[r]});
        });
    BOOST_TEST(std::holds_alternative<ghosts::GhostMap>(simulated.results[0]));
    const auto missing = std::get<ghosts::NoSuchEntry>(simulated.results[2]);
    BOOST_TEST(missing.ghost == 2);
    BOOST_TEST(missing.owned == 1);
}

BOOST_AUTO_TEST_CASE(every_rule_brings_every_value_and_adds_every_ghost) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < random_cases(300); ++i) {
        RandomSource random(seed + i);
        const auto sets = random_ghosts(random, up_to(24));
        const auto what = "CARPOOL_SEED=" + std::to_string(seed + i) + " " + sets.shape;
        const SimulatedGhosts all(sets);
        const auto faults = all.faults();
        BOOST_TEST_REQUIRE(faults.empty(), what << ": " << joined(faults));
        const auto nodes = random_nodes(sets.ranks(), random);
        routing::RouteOptions options;
        options.carriers = random.between(1, 6);
        options.theta = random.between(1, 4);
        for (const auto* rule : routing::graph_rules()) {
            const auto routes = all.routed(*rule, options, nodes.get());
            const auto update = schedule::verify(all.updates(routes), all.expected_update());
            BOOST_TEST(update.empty(), what << ", " << rule->name << ": " << joined(update));
            const auto sum = schedule::verify(all.reductions(routes, SummandOrder::commuting),
                                              all.expected_reduction());
            BOOST_TEST(sum.empty(), what << ", " << rule->name << ", sums: " << joined(sum));
        }
    }
}

BOOST_AUTO_TEST_CASE(direct_keeps_the_order_of_ranks_in_sums) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < random_cases(100); ++i) {
        RandomSource random(seed + i);
        const auto sets = random_ghosts(random, 12);
        const SimulatedGhosts all(sets);
        const auto routes = all.routed(routing::direct, {}, nullptr);
        const auto complaints =
            schedule::verify(all.reductions(routes, SummandOrder::in_order),
                             all.expected_reduction(), schedule::SumOrder::exact);
        BOOST_TEST(complaints.empty(),
                   "CARPOOL_SEED=" << seed + i << " " << sets.shape << ": " << joined(complaints));
    }
}

BOOST_AUTO_TEST_CASE(by_node_an_entry_crosses_the_network_once_per_node_that_wants_it) {
    const auto seed = first_seed();
    for (std::uint64_t i = 0; i < random_cases(200); ++i) {
        RandomSource random(seed + i);
        const auto sets = random_ghosts(random, up_to(24));
        const SimulatedGhosts all(sets);
        const auto nodes = random_nodes(sets.ranks(), random);
        routing::RouteOptions options;
        options.carriers = random.between(1, 6);
        const auto routes = all.routed(routing::by_node, options, nodes.get());
        const auto wanted = pairs_between_nodes(sets, *nodes);
        BOOST_TEST_INFO("CARPOOL_SEED=" << seed + i << " " << sets.shape);
        BOOST_TEST(entries_between_nodes(all.updates(routes), *nodes) == wanted);
    }
}

BOOST_AUTO_TEST_SUITE_END()
