// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "collective_checks.hpp"
#include "collectives/choice.hpp"
#include "random_nodes.hpp"
#include "schedule/text.hpp"
#include "topology/nodes.hpp"

#include <iostream>
#include <memory>

BOOST_AUTO_TEST_SUITE(test_collectives_by_node)

using namespace carpool::collectives;
using namespace collective_ranks;
using carpool::topology::Nodes;

namespace {

/// Nodes of these sizes, with consecutive ranks.
std::shared_ptr<const Nodes> nodes_of_sizes(const std::vector<int>& sizes) {
    NodeNames names;
    for (std::size_t node = 0; node < sizes.size(); ++node)
        names.insert(names.end(), static_cast<std::size_t>(sizes[node]), node);
    return nodes_of(names);
}

/// Nodes whose sizes differ little, so that there are several lanes. Ranks may be in any order.
std::shared_ptr<const Nodes> nodes_with_lanes(RandomSource& random) {
    const int nodes = random.between(1, 6);
    const int least = random.between(1, 5);
    NodeNames names;
    for (int node = 0; node < nodes; ++node)
        names.insert(names.end(), static_cast<std::size_t>(random.between(least, least + 2)),
                     static_cast<std::uint64_t>(node));
    for (std::size_t i = names.size() - 1; i > 0 && nodes % 2 == 0; --i)
        std::swap(names[i],
                  names[static_cast<std::size_t>(random.between(0, static_cast<int>(i)))]);
    return nodes_of(names);
}

std::shared_ptr<const Nodes> nodes_of_up_to_40_ranks(RandomSource& random) {
    if (random.one_in(2)) return nodes_with_lanes(random);
    return random_nodes(random.between(1, 40), random);
}

Problem on_nodes(Problem problem, const std::shared_ptr<const Nodes>& nodes) {
    problem.ranks = nodes->ranks();
    problem.nodes = nodes;
    return problem;
}

Problem random_problem(RandomSource& random, Kind kind) {
    const auto nodes = nodes_of_up_to_40_ranks(random);
    auto problem = on_nodes(equal_blocks(kind, nodes->ranks(), 8 * random.between(1, 40)), nodes);
    problem.root = has_root(kind) ? random.between(0, problem.ranks - 1) : 0;
    problem.commutes = !reduces(kind) || random.one_in(2);
    if (has_block_per_rank(kind) && random.one_in(2)) {
        problem.bytes.clear();
        for (int rank = 0; rank < problem.ranks; ++rank)
            problem.bytes.push_back(random.one_in(3) ? 0 : 8 * random.between(1, 10));
    }
    return problem;
}

template <typename Body>
void for_each_by_node(Body body) {
    for (const auto kind : kinds())
        for (const auto& a : algorithms(kind))
            if (a.by_node) body(a);
}

std::int64_t messages_between_nodes(const Algorithm& algorithm, const Problem& problem) {
    std::int64_t count = 0;
    for (int rank = 0; rank < problem.ranks; ++rank)
        for (const auto& round : schedule_of(algorithm, problem, rank).rounds)
            if (!round.send.parts.empty())
                count += problem.nodes->node(rank) != problem.nodes->node(round.send.peer);
    return count;
}

/// The bytes that a rank sends to ranks of other nodes.
std::int64_t bytes_to_other_nodes(const Algorithm& algorithm, const Problem& problem, int rank) {
    std::int64_t bytes = 0;
    for (const auto& round : schedule_of(algorithm, problem, rank).rounds)
        for (const auto& part : round.send.parts)
            if (problem.nodes->node(rank) != problem.nodes->node(round.send.peer))
                bytes += part.bytes;
    return bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(
    an_allreduce_on_2_nodes_of_2_sums_on_nodes_and_between_leaders_then_broadcasts) {
    const auto problem = on_nodes(equal_blocks(Kind::allreduce, 4, 8), nodes_of_sizes({2, 2}));
    const auto& a = *find_algorithm(Kind::allreduce, "node");
    BOOST_TEST(to_text(schedule_of(a, problem, 2)) ==
               "round 0  phase 0  from 3: temp[0] (8 B)\n"
               "round 1  phase 1  to 0: temp[1] (8 B)\n"
               "round 2  phase 1  from 0: temp[2] (8 B)\n"
               "round 3  phase 2  to 3: recv[0] (8 B)\n"
               "sum  temp[0] + send[0] to temp[1] (8 B)\n"
               "sum  temp[2] + temp[1] to recv[0] (8 B)\n"
               "total  2 messages  2 blocks  16 B\n");
    BOOST_TEST(to_text(schedule_of(a, problem, 3)) ==
               "round 0  phase 0  to 2: send[0] (8 B)\n"
               "round 1  phase 2  from 2: recv[0] (8 B)\n"
               "total  1 messages  1 blocks  8 B\n");
}

BOOST_AUTO_TEST_CASE(an_allreduce_in_2_lanes_halves_on_nodes_sums_in_lanes_and_doubles_on_nodes) {
    const auto problem = on_nodes(equal_blocks(Kind::allreduce, 4, 16), nodes_of_sizes({2, 2}));
    const auto& a = *find_algorithm(Kind::allreduce, "multi-lane");
    BOOST_TEST(to_text(schedule_of(a, problem, 2)) ==
               "round 0  phase 0  to 3: send[1] (8 B)\n"
               "round 1  phase 0  from 3: temp[0] (8 B)\n"
               "round 2  phase 1  to 0: temp[1] (8 B)\n"
               "round 3  phase 1  from 0: temp[2] (8 B)\n"
               "round 4  phase 2  to 3: recv[0] (8 B)\n"
               "round 5  phase 2  from 3: recv[1] (8 B)\n"
               "sum  send[0] + temp[0] to temp[1] (8 B)\n"
               "sum  temp[2] + temp[1] to recv[0] (8 B)\n"
               "total  3 messages  3 blocks  24 B\n");
}

BOOST_AUTO_TEST_CASE(every_kind_goes_by_node) {
    for (const auto kind : kinds()) {
        const auto* const a = find_algorithm(kind, "node");
        BOOST_REQUIRE(a != nullptr);
        BOOST_TEST(a->by_node);
        BOOST_TEST(a->applies(on_nodes(equal_blocks(kind, 6, 8), nodes_of_sizes({1, 3, 2}))));
    }
}

BOOST_AUTO_TEST_CASE(all_algorithms_are_right_on_random_nodes_from_random_roots) {
    const auto seed = first_seed();
    const auto cases = random_cases(3000);
    std::cout << "seed " << seed << ", " << cases << " cases\n";
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        const auto kind = kinds()[static_cast<std::size_t>(
            random.between(0, static_cast<int>(kinds().size()) - 1))];
        const auto problem = random_problem(random, kind);
        for (const auto& a : algorithms(kind))
            if (a.by_node && a.applies(problem))
                BOOST_REQUIRE_MESSAGE(check(a, {problem}), "CARPOOL_SEED=" << seed + i);
    }
}

BOOST_AUTO_TEST_CASE(an_alltoall_whose_blocks_vary_arrives_through_carriers) {
    const auto seed = first_seed();
    std::cout << "seed " << seed << '\n';
    for (std::uint64_t i = 0; i < random_cases(100); ++i) {
        RandomSource random(seed + i);
        const auto nodes = nodes_of_up_to_40_ranks(random);
        auto problems = varying_alltoall(random, nodes->ranks());
        for (auto& problem : problems) problem.nodes = nodes;
        for (const auto& a : algorithms(Kind::alltoall))
            if (a.by_node && a.applies(problems.front()))
                BOOST_REQUIRE_MESSAGE(check(a, problems), "CARPOOL_SEED=" << seed + i);
    }
}

BOOST_AUTO_TEST_CASE(algorithms_by_node_send_as_many_messages_as_they_say) {
    for (std::uint64_t i = 0; i < 60; ++i) {
        RandomSource random(i);
        const auto nodes = nodes_of_up_to_40_ranks(random);
        for_each_by_node([&](const Algorithm& a) {
            auto problem = on_nodes(equal_blocks(a.kind, nodes->ranks(), 8 * 128), nodes);
            problem.root = has_root(a.kind) ? problem.ranks / 2 : 0;
            for (const bool commutes : {true, false}) {
                problem.commutes = commutes;
                if (a.applies(problem))
                    BOOST_TEST(messages(schedules(a, {problem})) == a.messages(problem),
                               described(a, problem) << " on " << nodes->count() << " nodes");
            }
        });
    }
}

// Up or down a tree of nodes, log2 N times from each, or once between any two.
BOOST_AUTO_TEST_CASE(between_nodes_there_are_as_many_messages_as_between_so_many_ranks) {
    const auto nodes = nodes_of_sizes({5, 3, 4, 4, 1, 2, 6, 7});
    const auto between = [&](Kind kind, const char* name = "node") {
        return messages_between_nodes(*find_algorithm(kind, name),
                                      on_nodes(equal_blocks(kind, 32, 8 * 64), nodes));
    };
    for (const auto kind : {Kind::bcast, Kind::gather, Kind::scatter, Kind::reduce})
        BOOST_TEST(between(kind) == 7, name_of(kind));
    for (const auto kind : {Kind::barrier, Kind::allgather, Kind::allreduce, Kind::reduce_scatter})
        BOOST_TEST(between(kind) == 3 * 8, name_of(kind));
    for (const auto kind : {Kind::scan, Kind::exscan}) BOOST_TEST(between(kind) == 7 + 6 + 4);
    BOOST_TEST(between(Kind::alltoall) == 8 * 7);
    BOOST_TEST(between(Kind::alltoall, "node-leaders") == 8 * 7);
}

BOOST_AUTO_TEST_CASE(carriers_share_what_leaves_their_node) {
    const auto problem =
        on_nodes(equal_blocks(Kind::alltoall, 16, 8), nodes_of_sizes({4, 4, 4, 4}));
    const auto far = [&](const char* name, int rank) {
        int count = 0;
        for (const auto& round :
             schedule_of(*find_algorithm(Kind::alltoall, name), problem, rank).rounds)
            count += !round.send.parts.empty() && round.send.peer / 4 != rank / 4;
        return count;
    };
    for (int rank = 0; rank < 16; ++rank) {
        BOOST_TEST(far("node", rank) == (rank % 4 < 3 ? 1 : 0));
        BOOST_TEST(far("node-leaders", rank) == (rank % 4 == 0 ? 3 : 0));
    }
}

// Blocks of 4 KiB on nodes of 8, 4 and 5 ranks: 4 lanes.
BOOST_AUTO_TEST_CASE(lanes_share_what_leaves_their_node) {
    const auto nodes = nodes_of_sizes({8, 4, 5, 4});
    for (const auto kind : {Kind::bcast, Kind::reduce, Kind::allreduce}) {
        const auto problem = on_nodes(equal_blocks(kind, 21, 4096), nodes);
        const auto& a = *find_algorithm(kind, "multi-lane");
        const auto far = [&](int rank) { return bytes_to_other_nodes(a, problem, rank); };
        for (const int first : {0, 8, 12, 17}) {
            const int size = static_cast<int>(nodes->ranks_of(nodes->node(first)).size());
            int sending = 0;
            for (int rank = first; rank < first + size; ++rank) {
                BOOST_TEST((far(rank) == 0 || far(rank) == far(first)), rank);
                sending += far(rank) > 0;
            }
            BOOST_TEST((sending == 4 || far(first) == 0), name_of(kind) << ' ' << first);
        }
        BOOST_TEST(far(8) % 1024 == 0);
        BOOST_TEST(far(8) <= 2048);
    }
}

// 4 nodes of 4 ranks, 16 KiB: a rank keeps a quarter of the block when it meets other nodes.
BOOST_AUTO_TEST_CASE(far_partners_exchange_the_short_pieces_of_halving) {
    const auto nodes = nodes_of_sizes({4, 4, 4, 4});
    for (const bool commutes : {true, false}) {
        auto problem = on_nodes(equal_blocks(Kind::allreduce, 16, 16384), nodes);
        problem.commutes = commutes;
        const auto& a = *find_algorithm(Kind::allreduce, "rabenseifner");
        for (int rank = 0; rank < 16; ++rank)
            BOOST_TEST(bytes_to_other_nodes(a, problem, rank) == 2 * (2048 + 1024));
    }
    const auto problem = on_nodes(equal_blocks(Kind::bcast, 16, 16384), nodes);
    const auto& a = *find_algorithm(Kind::bcast, "scatter-doubling");
    for (int rank = 0; rank < 16; ++rank)
        BOOST_TEST(bytes_to_other_nodes(a, problem, rank) <= 2 * (2048 + 1024));
}

// 3 nodes of 4 ranks. A message between nodes has 4 blocks, one from each rank of the node.
BOOST_AUTO_TEST_CASE(by_node_digits_every_rank_meets_one_rank_of_each_other_node) {
    auto problem = on_nodes(equal_blocks(Kind::alltoall, 12, 8), nodes_of_sizes({4, 4, 4}));
    for (const auto* name : {"node-2-digits", "node-3-digits"}) {
        const auto& a = *find_algorithm(Kind::alltoall, name);
        for (int rank = 0; rank < 12; ++rank)
            BOOST_TEST(bytes_to_other_nodes(a, problem, rank) == 2 * 4 * 8);
        BOOST_TEST(messages_between_nodes(a, problem) == 12 * 2);
        const auto uneven = nodes_of_sizes({4, 5, 4});
        BOOST_TEST(check(a, {on_nodes(equal_blocks(Kind::alltoall, 13, 8), uneven)}));
    }
}

BOOST_AUTO_TEST_CASE(algorithms_that_need_the_order_of_ranks_do_not_apply_to_mixed_nodes) {
    const auto mingled = nodes_of(NodeNames{0, 1, 0, 1});
    for_each_by_node([&](const Algorithm& a) {
        auto problem = on_nodes(equal_blocks(a.kind, 4, 8), mingled);
        const bool scans = a.kind == Kind::scan || a.kind == Kind::exscan;
        BOOST_TEST(a.applies(problem) == !scans, described(a, problem));
        if (!reduces(a.kind)) return;
        problem.commutes = false;
        BOOST_TEST(!a.applies(problem), described(a, problem));
        problem.nodes = nodes_of_sizes({2, 2});
        BOOST_TEST(a.applies(problem), described(a, problem));
    });
}

// A test of the checker: one rank has a wrong map of nodes.
BOOST_AUTO_TEST_CASE(a_rank_that_assumes_other_nodes_is_found) {
    for_each_by_node([](const Algorithm& a) {
        const auto right = on_nodes(equal_blocks(a.kind, 6, 64), nodes_of_sizes({3, 3}));
        const auto wrong = on_nodes(right, nodes_of_sizes({2, 2, 2}));
        auto all = schedules(a, {right});
        all[2] = schedule_of(a, wrong, 2);
        BOOST_TEST(!complaints(a, {right}, all).empty(), described(a, right));
    });
}

BOOST_AUTO_TEST_CASE(algorithms_by_node_are_chosen_if_messages_between_nodes_cost_most) {
    constexpr carpool::choose::CostModel near{0.4e-6, 7e-11, 1e-6};
    constexpr carpool::choose::CostModel far{20e-6, 1e-9, 15e-6};
    const auto nodes = nodes_of_sizes({4, 4, 4, 4});
    const auto chosen = [&](Kind kind, std::int64_t bytes) {
        const carpool::choose::Machine machine(near, far, nodes, 8);
        return cheapest(machine, on_nodes(equal_blocks(kind, 16, bytes), nodes)).algorithm;
    };
    // a tree of radix 4 follows nodes of 4 ranks anyway
    for (const auto kind : {Kind::barrier, Kind::gather, Kind::scatter, Kind::allgather,
                            Kind::alltoall, Kind::allreduce, Kind::reduce_scatter})
        BOOST_TEST(chosen(kind, 64)->by_node, name_of(kind) << " by " << chosen(kind, 64)->name);
    for (const auto kind : kinds())
        for (const auto* a : applicable(equal_blocks(kind, 16, 64))) BOOST_TEST(!a->by_node);
}

BOOST_AUTO_TEST_SUITE_END()
