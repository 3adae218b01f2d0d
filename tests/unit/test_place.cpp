// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "exchange.hpp"
#include "neighborhood_cases.hpp"
#include "schedule/text.hpp"

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_place)

using namespace carpool;
using routing::Pattern;
using schedule::place;
using schedule::Schedule;
using topology::Grid;
using topology::Neighborhood;

namespace {

std::string text_at(int rank, const char* rule, const Exchange& exchange) {
    const auto schedules = exchange.schedules(*routing::find_rule(rule));
    return schedule::to_text(schedules[static_cast<std::size_t>(rank)]);
}

/// Grids of d dimensions with at most 81 ranks: unusual, small and flat ones; tori, meshes and
/// mixtures.
std::vector<Grid> grids(int d) {
    const auto n = static_cast<std::size_t>(d);
    std::vector<std::vector<int>> shapes{std::vector<int>(n, 1), std::vector<int>(n, d > 4 ? 1 : 2),
                                         std::vector<int>(n, d > 4 ? 1 : 3)};
    std::vector<int> mixed(n, 1);
    for (std::size_t k = 0; k < n && k < 3; ++k) mixed[k] = static_cast<int>(4 - k);
    shapes.push_back(mixed);
    std::vector<Grid> result;
    for (const auto& dims : shapes) {
        std::vector<bool> alternating(n);
        for (std::size_t k = 0; k < n; ++k) alternating[k] = k % 2 == 0;
        result.emplace_back(dims, std::vector<bool>(n, true));
        result.emplace_back(dims, std::vector<bool>(n, false));
        result.emplace_back(dims, alternating);
    }
    return result;
}

}  // namespace

//  0 1     Offsets (0,1) (1,0) (1,1): the block for the diagonal goes down, then right.
//  2 3     2 rounds for 3 neighbors; 1 + 1 + 2 blocks.
BOOST_AUTO_TEST_CASE(on_2x2_the_diagonal_block_is_combined_with_the_others) {
    const Exchange exchange{
        Grid({2, 2}, {true, true}), {2, {0, 1, 1, 0, 1, 1}}, Pattern::alltoall, {8, 8, 8}};
    BOOST_TEST(text_at(0, "cartesian", exchange) ==
               "round 0  phase 0  to 2: send[1] send[2] (16 B)  from 2: recv[1] temp[0] (16 B)\n"
               "round 1  phase 1  to 1: send[0] temp[0] (16 B)  from 1: recv[0] recv[2] (16 B)\n"
               "total  2 messages  4 blocks  32 B\n");
}

BOOST_AUTO_TEST_CASE(on_2x2_one_block_is_gathered_along_a_tree) {
    const Exchange exchange{
        Grid({2, 2}, {true, true}), {2, {0, 1, 1, 0, 1, 1}}, Pattern::allgather, {8}};
    BOOST_TEST(text_at(0, "cartesian", exchange) ==
               "round 0  phase 0  to 2: send[0] (8 B)  from 2: recv[1] (8 B)\n"
               "round 1  phase 1  to 1: send[0] recv[1] (16 B)  from 1: recv[0] recv[2] (16 B)\n"
               "total  2 messages  3 blocks  24 B\n");
}

BOOST_AUTO_TEST_CASE(on_2x2_direct_sends_three_messages) {
    const Exchange exchange{
        Grid({2, 2}, {true, true}), {2, {0, 1, 1, 0, 1, 1}}, Pattern::alltoall, {8, 8, 8}};
    BOOST_TEST(text_at(0, "direct", exchange) ==
               "round 0  phase 0  to 1: send[0] (8 B)  from 1: recv[0] (8 B)\n"
               "round 1  phase 0  to 2: send[1] (8 B)  from 2: recv[1] (8 B)\n"
               "round 2  phase 0  to 3: send[2] (8 B)  from 3: recv[2] (8 B)\n"
               "total  3 messages  3 blocks  24 B\n");
}

//  0 1 2   The corner 0 of a mesh has neighbors at (0,1) (1,0) (1,1); of the 8 positions of moore
//  3 4 5   these are 4, 6, 7, and what arrives comes from there, at positions 3, 1, 0.
//  6 7 8   On its way from 3 to 1, block (-1,1) rests here.
BOOST_AUTO_TEST_CASE(the_corner_of_a_3x3_mesh_leaves_out_what_is_off_the_mesh) {
    const auto moore = topology::moore(2, 1);
    const Exchange exchange{
        Grid({3, 3}, {false, false}), moore, Pattern::alltoall, {1, 1, 1, 1, 1, 1, 1, 1}};
    BOOST_TEST(text_at(0, "cartesian", exchange) ==
               "round 0  phase 0  from 3: recv[1] temp[1] (2 B)\n"
               "round 1  phase 0  to 3: send[6] send[7] (2 B)\n"
               "round 2  phase 1  from 1: recv[0] recv[3] (2 B)\n"
               "round 3  phase 1  to 1: temp[1] send[4] (2 B)\n"
               "total  2 messages  4 blocks  4 B\n");
}

BOOST_AUTO_TEST_CASE(the_corner_of_a_3x3_mesh_expects_three_blocks) {
    const auto moore = topology::moore(2, 1);
    const Grid grid({3, 3}, {false, false});
    const std::vector<std::int64_t> bytes(8, 4);
    const auto corner = schedule::expected(Pattern::alltoall, grid, moore, bytes)[0];
    for (const std::size_t i : {2u, 4u, 5u, 6u, 7u}) BOOST_TEST(!corner[i]);
    BOOST_TEST((corner[0] == schedule::Origin{4, 0, 4}));
    BOOST_TEST((corner[1] == schedule::Origin{3, 1, 4}));
    BOOST_TEST((corner[3] == schedule::Origin{1, 3, 4}));
}

BOOST_AUTO_TEST_CASE(all_ranks_of_a_3x3_torus_do_the_same) {
    const auto moore = topology::moore(2, 1);
    const Exchange exchange{Grid({3, 3}, {true, true}), moore, Pattern::allgather, {4}};
    for (const auto& schedule : exchange.schedules(routing::cartesian)) {
        BOOST_TEST(schedule::messages_sent(schedule) == 2 + 2);
        BOOST_TEST(schedule::blocks_sent(schedule) == 8);
        BOOST_TEST(schedule::bytes_sent(schedule) == 8 * 4);
        BOOST_TEST(schedule.copies.empty());
    }
}

BOOST_AUTO_TEST_CASE(the_zero_vector_and_repetitions_are_copied) {
    const Exchange exchange{Grid({2}, {true}), {1, {0, 1, 1, 0}}, Pattern::allgather, {8}};
    BOOST_TEST(text_at(0, "cartesian", exchange) ==
               "round 0  phase 0  to 1: send[0] (8 B)  from 1: recv[1] (8 B)\n"
               "copy  send[0] to recv[0] (8 B)\n"
               "copy  recv[1] to recv[2] (8 B)\n"
               "copy  send[0] to recv[3] (8 B)\n"
               "total  1 messages  1 blocks  8 B\n");
}

BOOST_AUTO_TEST_CASE(blocks_without_bytes_are_left_out) {
    const Exchange exchange{Grid({2}, {true}), {1, {1, 1, 0}}, Pattern::alltoall, {0, 8, 0}};
    BOOST_TEST(text_at(0, "direct", exchange) ==
               "round 0  phase 0  to 1: send[1] (8 B)  from 1: recv[1] (8 B)\n"
               "total  1 messages  1 blocks  8 B\n");
}

BOOST_AUTO_TEST_CASE(a_rank_without_neighbors_does_nothing) {
    const Exchange exchange{Grid({1}, {false}), {1, {1, -1}}, Pattern::alltoall, {8, 8}};
    BOOST_TEST(text_at(0, "direct", exchange) ==
               "round 0  phase 0  nothing\n"
               "round 1  phase 0  nothing\n"
               "total  0 messages  0 blocks  0 B\n");
}

BOOST_AUTO_TEST_CASE(on_a_torus_the_volume_of_a_rank_is_that_of_the_plan) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) {
        const auto n = static_cast<std::size_t>(neighborhood.dimensions());
        const Exchange exchange{Grid(std::vector<int>(n, 1), std::vector<bool>(n, true)),
                                neighborhood, Pattern::alltoall,
                                equal_blocks(neighborhood, Pattern::alltoall, 8)};
        if (name == "coordinates far apart") continue;
        for (const auto* rule : routing::grid_rules()) {
            const auto plan = rule->plan(exchange.grid, neighborhood, Pattern::alltoall);
            const auto schedule = exchange.placed(plan).front();
            BOOST_TEST(schedule::blocks_sent(schedule) == plan.volume());
            BOOST_TEST(schedule::messages_sent(schedule) == plan.rounds());
        }
    }
}

BOOST_AUTO_TEST_CASE(every_rule_is_correct_on_all_neighborhoods) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) {
        for (const auto& grid : grids(neighborhood.dimensions())) {
            for (const auto* rule : routing::grid_rules()) {
                for (const auto pattern : patterns) {
                    const Exchange exchange{grid, neighborhood, pattern,
                                            equal_blocks(neighborhood, pattern, 8)};
                    const auto complaints = exchange.complaints(*rule);
                    BOOST_TEST(complaints.empty(), name << ", " << rule->name << ", "
                                                        << described(exchange) << ": "
                                                        << joined(complaints));
                }
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
