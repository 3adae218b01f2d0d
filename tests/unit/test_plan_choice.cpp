// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "choose/planner.hpp"
#include "random_exchange.hpp"
#include "topology/stencils.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_plan_choice)

// The choice among the plans between direct messages and the smallest basis: by sizes, by name, and
// by the number of ports.

using namespace carpool;
using routing::Limits;
using routing::Pattern;
using schedule::Operation;
using topology::Grid;
using topology::Neighborhood;

namespace {

Grid uniform(int dimensions, int ranks, bool periodic) {
    const auto d = static_cast<std::size_t>(dimensions);
    return {std::vector<int>(d, ranks), std::vector<bool>(d, periodic)};
}

Neighborhood line(int first, int last) {
    std::vector<int> flat;
    for (int c = first; c <= last; ++c) flat.push_back(c);
    return {1, flat};
}

/// The defaults for MPICH.
constexpr choose::CostModel mpich{12.5e-6, 3e-9, 10e-6};

/// The plan that is chosen if all blocks have this size.
std::string chosen(const Grid& grid, const Neighborhood& neighborhood, std::int64_t bytes,
                   const choose::CostModel& model = mpich) {
    choose::Planner planner(grid, neighborhood);
    const std::vector<std::int64_t> sizes(static_cast<std::size_t>(neighborhood.size()), bytes);
    return planner.cheapest(Operation::alltoall, sizes, model).name();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_choice_goes_from_few_rounds_to_little_volume_as_blocks_grow) {
    const auto grid = uniform(3, 16, true);
    const auto stencil = topology::moore(3, 3);
    BOOST_TEST(chosen(grid, stencil, 1) == "basis");
    BOOST_TEST(chosen(grid, stencil, 16) == "basis:13/5");
    BOOST_TEST(chosen(grid, stencil, 100) == "cartesian");
    BOOST_TEST(chosen(grid, stencil, 1000) == "basis:40/2");
    BOOST_TEST(chosen(grid, stencil, 10'000) == "direct");
}

BOOST_AUTO_TEST_CASE(longer_blocks_never_take_more_volume) {
    RandomSource random(21);
    for (int i = 0; i < 100; ++i) {
        const auto grid = random_grid(random);
        const auto offsets = random_neighborhood(random, grid.dimensions());
        choose::Planner planner(grid, offsets);
        std::int64_t before = std::numeric_limits<std::int64_t>::max();
        for (std::int64_t bytes = 1; bytes < (1 << 24); bytes *= 4) {
            const std::vector<std::int64_t> sizes(static_cast<std::size_t>(offsets.size()), bytes);
            const auto volume = planner.cheapest(Operation::alltoall, sizes, mpich).volume();
            BOOST_TEST(volume <= before);
            before = volume;
        }
    }
}

BOOST_AUTO_TEST_CASE(auto_weighs_bytes_and_not_blocks_where_sizes_differ) {
    const auto grid = uniform(1, 40, true);
    choose::Planner planner(grid, line(1, 7));
    std::vector<std::int64_t> sizes(7, 8);
    BOOST_TEST(planner.cheapest(Operation::alltoall, sizes, mpich).plan().rounds() == 3);
    sizes[6] = 8000;  // one long block among short ones: if it is sent alone, it takes one hop
    const auto best = planner.cheapest(Operation::alltoall, sizes, mpich);
    const auto equal = planner.planned(routing::basis, Operation::alltoall);
    BOOST_TEST(best.bytes(sizes) < 2 * 8000);
    BOOST_TEST(equal.bytes(sizes) > 3 * 8000);
    BOOST_TEST(best.plan().rounds() < 7);
}

BOOST_AUTO_TEST_CASE(limits_name_a_plan_of_least_volume) {
    const auto grid = uniform(3, 37, true);
    choose::Planner planner(grid, topology::moore(3, 3));
    const auto named = [&](const Limits& limits) {
        return planner.planned(routing::basis, Operation::alltoall, limits).name();
    };
    BOOST_TEST(named({}) == "basis");
    BOOST_TEST(named({9}) == "basis:9/9");
    BOOST_TEST(named({17}) == "basis:13/5");
    BOOST_TEST(named({18}) == "basis:18/3");
    BOOST_TEST(named({100, 2}) == "basis:40/2");
    BOOST_TEST(named({1000}) == "basis:342/1");
    BOOST_TEST(named({3}) == "basis:9/9");  // no plan has so few rounds
}

BOOST_AUTO_TEST_CASE(limits_are_read_as_they_are_written) {
    const auto text = [](const char* given) {
        const auto rule = routing::rule_from_text(given);
        return rule ? text_of(*rule) : "none";
    };
    for (const char* same : {"basis", "basis:10", "basis:10/2", "basis:0", "cartesian"})
        BOOST_TEST(text(same) == same);
    for (const char* wrong : {"basis:", "basis:x", "basis:-1", "basis:3/", "basis:3/x", "basis:/3",
                              "cartesian:3", "basis 3", "basis:99999999999", ":3", ""})
        BOOST_TEST(text(wrong) == "none", wrong);
}

// 18 rounds in phases of 6 are 18, 9 and 6 starts; 342 rounds at once are 342, 171 and 86.
BOOST_AUTO_TEST_CASE(a_phase_costs_one_alpha_for_as_many_rounds_as_there_are_ports) {
    const auto grid = uniform(3, 37, true);
    choose::Planner planner(grid, topology::moore(3, 3));
    const auto starts = [&](const routing::Rule& rule, std::int64_t ports) {
        const auto plan = planner.planned(rule, Operation::alltoall);
        const auto load =
            plan.load(std::vector<std::int64_t>(342, 1), choose::CostModel{1, 0, 0, ports});
        BOOST_TEST(choose::estimate(choose::CostModel{1, 0, 0, ports}, load) ==
                   static_cast<double>(choose::starts(load, ports)));
        return choose::starts(load, ports);
    };
    BOOST_TEST(starts(routing::cartesian, 1) == 18);
    BOOST_TEST(starts(routing::cartesian, 2) == 9);
    BOOST_TEST(starts(routing::cartesian, 4) == 3 * 2);
    BOOST_TEST(starts(routing::cartesian, 1000) == 3);
    BOOST_TEST(starts(routing::direct, 4) == 86);
    BOOST_TEST(starts(routing::basis, 4) == 9);  // one after the other
}

namespace {

/// A phase in which a rank sends and receives so many messages within its node.
choose::PhaseLoad phase_of(std::int64_t messages) {
    choose::PhaseLoad phase;
    phase.sent[0].messages = phase.received[0].messages = messages;
    return phase;
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_unknown_phases_are_taken_to_be_spread_evenly) {
    choose::Load load;
    load.at(choose::Level::node).messages = 10;
    load.phases = 3;  // 4, 3, 3
    for (const auto& [ports, starts] : {std::pair(1, 10), {2, 6}, {3, 6}, {4, 3}, {100, 3}})
        BOOST_TEST(choose::starts(load, ports) == starts, ports << " ports");
    load.path = {phase_of(1), phase_of(9)};
    for (const auto& [ports, starts] : {std::pair(1, 10), {2, 6}, {4, 4}, {8, 3}, {100, 2}})
        BOOST_TEST(choose::starts(load, ports) == starts, ports << " ports");
    BOOST_TEST(choose::starts({}, 4) == 0);
}

// 2 + 2 + 2 on the routes and 20 direct ones; with four ports (2 + 20) / 4, and one for each other
// phase
BOOST_AUTO_TEST_CASE(straight_messages_are_starts_of_the_first_phase) {
    constexpr auto level = choose::Level::node;
    choose::Load load;
    load.at(level).messages = 6;
    load.phases = 3;
    load.path = choose::with_repeats({phase_of(2), phase_of(2), phase_of(2)});
    BOOST_TEST(load.path.size() == 1);
    const auto with = load.with_straight({20, 20, 1 << 20}, level);
    BOOST_TEST(with.messages() == 26);
    BOOST_TEST(choose::starts(with, 1) == 26);
    BOOST_TEST(choose::starts(with, 4) == 6 + 1 + 1);
    BOOST_TEST(choose::estimate(choose::CostModel{1, 0, 0, 1}, with) == 26);
    load.path.clear();
    BOOST_TEST(choose::starts(load.with_straight({20, 20, 1 << 20}, level), 1) == 26);
}

BOOST_AUTO_TEST_CASE(more_ports_move_the_choice_to_more_messages_at_once) {
    const auto grid = uniform(3, 16, true);
    const auto stencil = topology::moore(3, 3);
    std::vector<std::string> names;
    for (const std::int64_t ports : {1, 4, 64, 1000}) {
        auto model = mpich;
        model.ports = ports;
        names.push_back(chosen(grid, stencil, 16, model));
    }
    BOOST_TEST(names.front() == "basis:13/5");
    BOOST_TEST(names[1] == "cartesian");
    BOOST_TEST(names.back() == "direct");
}

BOOST_AUTO_TEST_SUITE_END()
