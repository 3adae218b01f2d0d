// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "neighborhood_cases.hpp"
#include "random_exchange.hpp"
#include "routing/partial_sums.hpp"
#include "routing/rule.hpp"
#include "schedule/place_sums.hpp"
#include "schedule/text.hpp"

#include <iostream>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_sums)

using namespace carpool;
using routing::PartialSums;
using routing::Pattern;
using schedule::Operation;
using schedule::Schedule;
using topology::Grid;
using topology::Neighborhood;

namespace {

constexpr Operation operations[] = {Operation::reduce, Operation::reduce_scatter_block};

/// A reduction on a grid, by any rule.
struct Reduction {
    Grid grid;
    Neighborhood neighborhood;
    Operation operation;
    std::int64_t bytes = 8;

    routing::Plan tree(const routing::Rule& rule) const {
        return rule.plan(grid, neighborhood, Pattern::allgather);
    }

    PartialSums sums(const routing::Plan& tree) const {
        return {tree, operation == Operation::reduce ? PartialSums::Blocks::one
                                                     : PartialSums::Blocks::per_position};
    }

    std::vector<Schedule> schedules(const routing::Rule& rule) const {
        const auto plan = tree(rule);
        const auto partial = sums(plan);
        std::vector<Schedule> all;
        for (int rank = 0; rank < grid.size(); ++rank)
            all.push_back(
                schedule::place_sums(plan, partial, grid, neighborhood, rank, operation, bytes));
        return all;
    }

    /// The reference: gathers by `direct`, and sums in the order of sources.
    std::vector<Schedule> in_order() const {
        const auto pattern =
            operation == Operation::reduce ? Pattern::allgather : Pattern::alltoall;
        const Exchange exchange{grid, neighborhood, pattern,
                                equal_blocks(neighborhood, pattern, bytes)};
        auto all = exchange.schedules(routing::direct);
        for (auto& schedule : all) schedule = schedule::sum_at_end(std::move(schedule), bytes);
        return all;
    }

    std::vector<std::string> complaints(const std::vector<Schedule>& all,
                                        schedule::SumOrder order) const {
        return schedule::verify(all, schedule::expected_sums(operation, grid, neighborhood, bytes),
                                order);
    }
};

std::string described(const Reduction& r) {
    return std::string(schedule::name_of(r.operation)) + ", " +
           described(Exchange{r.grid, r.neighborhood, Pattern::allgather, {r.bytes}});
}

std::vector<Grid> grids(int dimensions) {
    const auto d = static_cast<std::size_t>(dimensions);
    if (d > 4) return {Grid(std::vector<int>(d, 2), std::vector<bool>(d, false))};
    return {Grid(std::vector<int>(d, 3), std::vector<bool>(d, true)),
            Grid(std::vector<int>(d, 3), std::vector<bool>(d, false)),
            Grid(std::vector<int>(d, 2), std::vector<bool>(d, true)),
            Grid(std::vector<int>(d, 1), std::vector<bool>(d, true))};
}

void check(const Reduction& reduction) {
    for (const auto* rule : routing::grid_rules()) {
        const auto complaints =
            reduction.complaints(reduction.schedules(*rule), schedule::SumOrder::any);
        BOOST_TEST(complaints.empty(), described(reduction)
                                           << " by " << rule->name << ": " << joined(complaints));
    }
    const auto complaints = reduction.complaints(reduction.in_order(), schedule::SumOrder::exact);
    BOOST_TEST(complaints.empty(), described(reduction) << " in order: " << joined(complaints));
}

Reduction random_reduction(RandomSource& random) {
    auto grid = random_grid(random);
    auto neighborhood = random_neighborhood(random, grid.dimensions());
    const auto operation = operations[random.between(0, 1)];
    return {std::move(grid), std::move(neighborhood), operation, random.one_in(9) ? 0 : 8};
}

using Fault = void (*)(std::vector<schedule::Slot>&);

void leave_one_out(std::vector<schedule::Slot>& of) { of.pop_back(); }
void count_one_twice(std::vector<schedule::Slot>& of) { of.push_back(of.front()); }

void take_another(std::vector<schedule::Slot>& of) { of.back() = of.front(); }

/// Breaks one sum of some rank, if there is one with different summands.
bool break_a_sum(RandomSource& random, std::vector<Schedule>& schedules, Fault fault) {
    const auto first = random.between(0, static_cast<int>(schedules.size()) - 1);
    for (std::size_t i = 0; i < schedules.size(); ++i) {
        for (auto& sum : schedules[(static_cast<std::size_t>(first) + i) % schedules.size()].sums) {
            if (sum.of.front() == sum.of.back()) continue;
            fault(sum.of);
            return true;
        }
    }
    return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sum_of_three_neighbors_on_a_ring_of_4_reads_so) {
    const Reduction reduction{Grid({4}, {true}), Neighborhood(1, {-1, 0, 1}), Operation::reduce};
    BOOST_TEST(to_text(reduction.schedules(routing::direct)[1]) ==
               "round 0  phase 0  to 2: send[0] (8 B)  from 0: temp[0] (8 B)\n"
               "round 1  phase 0  to 0: send[0] (8 B)  from 2: temp[1] (8 B)\n"
               "sum  send[0] + temp[1] + temp[0] to recv[0] (8 B)\n"
               "total  2 messages  2 blocks  16 B\n");
}

BOOST_AUTO_TEST_CASE(blocks_for_the_same_neighbor_are_summed_before_they_leave) {
    const Reduction reduction{Grid({4}, {true}), Neighborhood(1, {1, 1, 1}),
                              Operation::reduce_scatter_block};
    BOOST_TEST(to_text(reduction.schedules(routing::direct)[1]) ==
               "round 0  phase 0  to 2: temp[0] (8 B)  from 0: recv[0] (8 B)\n"
               "sum  send[0] + send[1] + send[2] to temp[0] (8 B)\n"
               "total  1 messages  1 blocks  8 B\n");
}

BOOST_AUTO_TEST_CASE(a_corner_of_a_mesh_without_sources_keeps_its_buffer) {
    const Reduction reduction{Grid({2, 2}, {false, false}), Neighborhood(2, {1, 1, 0, 1}),
                              Operation::reduce};
    const auto corner = reduction.schedules(routing::cartesian)[0];
    BOOST_TEST(corner.sums.empty());
    BOOST_TEST(corner.copies.empty());
    for (const auto& round : corner.rounds) BOOST_TEST(round.receive.parts.empty());
}

BOOST_AUTO_TEST_CASE(rounds_and_volume_are_those_of_allgather) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) BOOST_TEST_CONTEXT(name) {
            for (const auto* rule : routing::grid_rules()) {
                const Reduction reduction{cases::wide_torus(neighborhood.dimensions()),
                                          neighborhood, Operation::reduce_scatter_block};
                const auto tree = reduction.tree(*rule);
                const auto moves = reduction.sums(tree).moves();
                BOOST_TEST(static_cast<std::int64_t>(moves.size()) == tree.volume());
            }
        }
}

BOOST_AUTO_TEST_CASE(equal_sums_of_a_reduce_travel_once) {
    for (const int d : {1, 2, 3, 4}) {
        const Reduction moore{cases::wide_torus(d), topology::moore(d, 1), Operation::reduce};
        const auto tree = moore.tree(routing::cartesian);
        BOOST_TEST(tree.volume() == topology::moore(d, 1).size());
        BOOST_TEST(moore.sums(tree).moves().size() == 2u * static_cast<unsigned>(d));
    }
}

BOOST_AUTO_TEST_CASE(every_rule_sums_every_source_once_on_all_neighborhoods) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) {
        if (name == "coordinates far apart") continue;
        for (const auto& grid : grids(neighborhood.dimensions()))
            for (const auto operation : operations) check({grid, neighborhood, operation});
    }
}

BOOST_AUTO_TEST_CASE(random_reductions_are_correct_by_every_rule) {
    const auto seed = first_seed();
    const auto cases = random_cases(5'000);
    std::cout << "random reductions: CARPOOL_SEED=" << seed << " CARPOOL_RANDOM_CASES=" << cases
              << std::endl;
    for (std::uint64_t i = 0; i < cases; ++i) {
        RandomSource random(seed + i);
        BOOST_TEST_CONTEXT("CARPOOL_SEED=" << seed + i << " CARPOOL_RANDOM_CASES=1") {
            check(random_reduction(random));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_summand_left_out_counted_twice_or_exchanged_is_found) {
    const auto seed = first_seed();
    std::cout << "broken reductions: CARPOOL_SEED=" << seed << std::endl;
    int broken = 0;
    for (std::uint64_t i = 0; i < 500; ++i) {
        RandomSource random(seed + i);
        auto reduction = random_reduction(random);
        reduction.operation = Operation::reduce_scatter_block;  // no two sums are equal
        for (const auto fault : {leave_one_out, count_one_twice, take_another}) {
            auto schedules = reduction.schedules(routing::cartesian);
            if (!break_a_sum(random, schedules, fault)) continue;
            ++broken;
            BOOST_TEST(!reduction.complaints(schedules, schedule::SumOrder::any).empty(),
                       described(reduction));
        }
    }
    BOOST_TEST(broken > 200);
}

BOOST_AUTO_TEST_CASE(two_summands_in_the_wrong_order_are_found_where_that_matters) {
    const Reduction reduction{Grid({4}, {true}), Neighborhood(1, {-1, 1}), Operation::reduce};
    auto schedules = reduction.in_order();
    std::swap(schedules[2].sums[0].of[0], schedules[2].sums[0].of[1]);
    BOOST_TEST(reduction.complaints(schedules, schedule::SumOrder::any).empty());
    const std::vector<std::string> wanted{
        "rank 2: recv[0] must hold send[0] of rank 3 (8 B) + send[0] of rank 1 (8 B), but holds "
        "send[0] of rank 1 (8 B) + send[0] of rank 3 (8 B)"};
    BOOST_TEST(reduction.complaints(schedules, schedule::SumOrder::exact) == wanted,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
