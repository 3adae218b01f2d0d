// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "collective_checks.hpp"
#include "collectives/choice.hpp"
#include "random_nodes.hpp"

BOOST_AUTO_TEST_SUITE(test_collective_choice)

using namespace carpool::collectives;
using namespace collective_ranks;

namespace {

constexpr carpool::choose::CostModel cluster{1e-6, 1e-10, 1e-6};

std::string chosen(const Problem& problem, double ranks_per_core = 1) {
    carpool::choose::Costs costs{cluster, cluster};
    costs.copy_per_byte = carpool::choose::usual_copy_per_byte;
    return std::string(cheapest({costs, nullptr, ranks_per_core}, problem).algorithm->name);
}

constexpr carpool::choose::CostModel memory{1e-7, 1e-11, 1e-7};

}  // namespace

BOOST_AUTO_TEST_CASE(short_blocks_take_few_phases_on_cores_of_their_own) {
    BOOST_TEST(chosen(equal_blocks(Kind::barrier, 64, 0)) == "dissemination");
    BOOST_TEST(chosen(equal_blocks(Kind::allreduce, 64, 8)) == "recursive-doubling");
    BOOST_TEST(chosen(equal_blocks(Kind::alltoall, 64, 8)) == "3-digits");
}

BOOST_AUTO_TEST_CASE(long_blocks_are_cut) {
    BOOST_TEST(chosen(equal_blocks(Kind::allreduce, 64, 8 << 20)) == "rabenseifner");
    BOOST_TEST(chosen(equal_blocks(Kind::alltoall, 64, 8 << 20)) == "spread");
}

BOOST_AUTO_TEST_CASE(where_ranks_share_cores_few_messages_count) {
    BOOST_TEST(chosen(equal_blocks(Kind::barrier, 64, 0), 32) == "star");
    BOOST_TEST(chosen(equal_blocks(Kind::allgather, 64, 8), 32) == "star");
}

BOOST_AUTO_TEST_CASE(an_alltoall_goes_through_one_rank_while_copies_cost_less_than_messages) {
    BOOST_TEST(chosen(equal_blocks(Kind::alltoall, 64, 8), 32) == "star");
    BOOST_TEST(chosen(equal_blocks(Kind::alltoall, 64, 8192), 32) == "spread");
}

BOOST_AUTO_TEST_CASE(a_phase_lasts_until_all_ranks_of_a_core_have_had_their_turn) {
    using carpool::choose::CostModel;
    const CostModel model{2, 0.5, 3};
    BOOST_TEST((oversubscribed(model, 1) == model));
    BOOST_TEST((oversubscribed(model, 2) == model));  // half a message each takes less than a phase
    BOOST_TEST((oversubscribed(model, 8) == CostModel{2, 0.5, 8}));
}

/// This holds although each rank is in only two of its phases.
BOOST_AUTO_TEST_CASE(a_chain_waits_for_the_network_as_often_as_it_leads_to_another_node) {
    for (const int per_node : {1, 2, 16, 64}) {
        auto problem = equal_blocks(Kind::reduce, 64, 8);
        problem.nodes = nodes_in_a_row(64, per_node);
        const carpool::choose::Machine machine(memory, cluster, problem.nodes, 1);
        const auto load = load_of(*find_algorithm(Kind::reduce, "chain"), problem, machine);
        BOOST_TEST(load.phases == 63);
        BOOST_TEST(load.phases_between_nodes() == 64 / per_node - 1);
    }
}

BOOST_AUTO_TEST_CASE(with_equal_phases_between_nodes_the_algorithm_with_fewer_messages_is_taken) {
    carpool::choose::Costs costs{memory, cluster};
    costs.adapter_per_message = 1e-6;
    for (const auto kind : {Kind::allgather, Kind::reduce_scatter}) {
        auto problem = equal_blocks(kind, 8, 8);
        problem.nodes = nodes_in_a_row(8, 2);
        const carpool::choose::Machine machine(costs, problem.nodes);
        BOOST_TEST(cheapest(machine, problem).algorithm->name == "node");
    }
}

/// The other ranks of a node are not either.
BOOST_AUTO_TEST_CASE(ranks_that_send_to_few_are_not_taken_to_send_to_all) {
    auto problem = equal_blocks(Kind::alltoall, 64, 8);
    problem.nodes = nodes_in_a_row(64, 16);
    problem.degree = 2;
    const carpool::choose::Machine machine(memory, cluster, problem.nodes, 1);
    const auto load = load_of(*find_algorithm(Kind::alltoall, "spread"), problem, machine);
    BOOST_TEST(load.at(carpool::choose::Level::network).messages == 2);
    BOOST_TEST(load.adapter.messages == 2 * 16);
}

BOOST_AUTO_TEST_CASE(different_problems_are_not_confused) {
    const Problem problem{Kind::allreduce, 4, 0, {0}};
    std::vector<Problem> others(13, problem);
    others[0].kind = Kind::scan;
    others[1].ranks = 5;
    others[2].root = 1;
    others[3].bytes = {8};
    others[4].sent = {8, 8, 8, 8};
    others[5].received = {8, 8, 8, 8};
    others[6].degree = 3;
    others[7].long_blocks = {1, 4096, 4};
    others[8].digits = {3};
    others[9].commutes = false;
    others[10].unit = 8;
    others[11].keeps_empty = true;
    others[12].nodes =
        std::make_shared<const carpool::topology::Nodes>(std::vector<std::uint64_t>{1, 1, 2, 2});
    others.push_back(problem);
    others.back().segment = 1 << 10;
    const carpool::choose::Machine machine(cluster);
    for (std::size_t i = 0; i < others.size(); ++i) {
        BOOST_REQUIRE(!(others[i] == problem));
        BOOST_TEST((key_of(others[i], machine) != key_of(problem, machine)), "change " << i);
    }
}

BOOST_AUTO_TEST_CASE(no_rank_is_given_the_blocks_of_all_where_they_are_huge) {
    for (const auto kind : {Kind::reduce, Kind::allreduce, Kind::reduce_scatter}) {
        const auto problem = equal_blocks(kind, 16, std::int64_t{1} << 31);
        const auto choice = cheapest({cluster, 8}, problem);
        const auto whole = (kind == Kind::reduce_scatter ? 16 : 1) * (std::int64_t{1} << 31);
        BOOST_TEST(choice.load.temp_bytes <= 2 * whole, name_of(kind)
                                                            << " by " << choice.algorithm->name);
    }
}

BOOST_AUTO_TEST_CASE(an_operator_that_does_not_commute_gets_an_algorithm_that_keeps_its_order) {
    for (const auto kind : kinds()) {
        auto problem = equal_blocks(kind, 12, 8 << 20);
        problem.commutes = false;
        for (const auto* algorithm : applicable(problem))
            if (reduces(kind)) BOOST_TEST(algorithm->name != "ring");
        const auto choice = cheapest({cluster, 1}, problem);
        BOOST_TEST(check(*choice.algorithm, {problem}));
    }
}

BOOST_AUTO_TEST_CASE(the_estimate_is_the_formula_it_says) {
    using carpool::choose::Level;
    const carpool::choose::Machine machine(carpool::choose::CostModel{2, 0.5, 100}, 4);
    carpool::choose::Load load;
    load.at(Level::node) = {10, 20, 80};
    load.phases = 3;
    load.mean_messages = 4;
    BOOST_TEST(estimate(machine, load) == 300 + 16 * (2 + 0.5 * 8));  // 4 messages on 4 ranks
    load.mean_messages = 1;
    BOOST_TEST(estimate(machine, load) == 300 + 10 * (2 + 0.5 * 8));  // the busiest rank's
}

BOOST_AUTO_TEST_CASE(of_equal_costs_the_simpler_algorithm_is_taken) {
    for (const auto kind : kinds())
        BOOST_TEST(cheapest({cluster, 1}, equal_blocks(kind, 1, 8)).algorithm ==
                   &algorithms(kind).front());
}

// [5] §3.1: direct messages if a rank sends to few, combined ones if it sends to many.
BOOST_AUTO_TEST_CASE(blocks_that_differ_are_combined_once_they_are_many) {
    auto problem = equal_blocks(Kind::alltoall, 1024, 76);
    BOOST_TEST(chosen(problem) != "spread");
    for (const std::int64_t degree : {4, 1000}) {
        problem.degree = degree;
        problem.bytes = {(76 * degree + 1023) / 1024};
        BOOST_TEST((chosen(problem) == "spread") == (degree == 4),
                   degree << " " << chosen(problem));
    }
    problem.bytes = {1 << 20};
    BOOST_TEST(chosen(problem) == "spread");
}

// [5] §3.2: one long block per rank costs one more message, and is no reason to send all others
// alone.
BOOST_AUTO_TEST_CASE(a_few_long_blocks_go_straight_and_the_others_combined) {
    auto problem = equal_blocks(Kind::alltoall, 64, 8);
    problem.degree = 63;
    problem.long_blocks = {1, 1 << 20, 64};
    const auto choice = cheapest({cluster, 1}, problem);
    BOOST_TEST(choice.algorithm->forwards);
    const auto messages = choice.load.messages();
    problem.long_blocks = {};
    BOOST_TEST(load_of(*choice.algorithm, problem, {cluster, 1}).messages() == messages - 1);
    problem.long_blocks = {60, 60 << 20, 60 * 64};
    BOOST_TEST(chosen(problem) == "spread");
}

BOOST_AUTO_TEST_SUITE_END()
