// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "topology/grid.hpp"

#include <cstdlib>
#include <limits>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_grid)

using carpool::topology::Grid;
using carpool::topology::no_rank;
using Vector = std::vector<int>;

namespace {

int rank_from(const Grid& grid, int rank, const Vector& offset, int sign = 1) {
    return grid.rank_at(grid.coordinates(rank), offset, sign);
}

}  // namespace

//  0 1
//  2 3
BOOST_AUTO_TEST_CASE(ranks_of_2x2_are_numbered_row_by_row) {
    const Grid grid({2, 2}, {true, true});
    BOOST_TEST(grid.size() == 2 * 2);
    BOOST_TEST(grid.coordinates(1) == (Vector{0, 1}), boost::test_tools::per_element());
    BOOST_TEST(grid.coordinates(2) == (Vector{1, 0}), boost::test_tools::per_element());
}

//   0  1  4  5
//   2  3  6  7
//   8  9 12 13
//  10 11 14 15
BOOST_AUTO_TEST_CASE(ranks_of_4x4_may_be_numbered_in_blocks_of_2x2) {
    const Grid grid({4, 4}, {true, false}, {2, 2});
    BOOST_TEST(grid.coordinates(6) == (Vector{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(grid.coordinates(9) == (Vector{2, 1}), boost::test_tools::per_element());
    BOOST_TEST(rank_from(grid, 3, {0, 1}) == 6);
    BOOST_TEST(rank_from(grid, 3, {1, 1}) == 12);
    BOOST_TEST(rank_from(grid, 3, {-2, 0}) == 11);
    BOOST_TEST(rank_from(grid, 7, {0, 1}) == no_rank);
    BOOST_TEST(grid.offset_between(10, 1) == (Vector{1, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(blocks_of_any_length_number_each_rank_once) {
    for (const auto& blocks : {Vector{1, 1, 1}, {2, 1, 2}, {4, 3, 3}, {2, 3, 2}, {1, 3, 6}}) {
        const Grid grid({4, 3, 6}, {false, false, false}, blocks);
        for (int rank = 0; rank < grid.size(); ++rank)
            BOOST_TEST(rank_from(grid, rank, {0, 0, 0}) == rank);
    }
}

BOOST_AUTO_TEST_CASE(blocks_of_one_rank_are_no_blocks) {
    BOOST_TEST(Grid({4, 2}, {true, true}).blocks().empty());
    BOOST_TEST(Grid({4, 2}, {true, true}, {1, 1}).blocks().empty());
    const Grid pairs({4, 2}, {true, true}, {2, 1});
    BOOST_TEST(Vector(pairs.blocks().begin(), pairs.blocks().end()) == (Vector{2, 1}),
               boost::test_tools::per_element());
}

//  0 1 2
//  3 4 5
//  6 7 8
BOOST_AUTO_TEST_CASE(steps_on_3x3_wrap_at_the_border) {
    const Grid grid({3, 3}, {true, true});
    BOOST_TEST(rank_from(grid, 4, {1, 1}) == 8);
    BOOST_TEST(rank_from(grid, 8, {1, 1}) == 0);
    BOOST_TEST(rank_from(grid, 0, {-1, 0}) == 6);
    BOOST_TEST(rank_from(grid, 0, {0, -1}) == 2);
}

BOOST_AUTO_TEST_CASE(a_negative_sign_steps_back) {
    const Grid grid({3, 3}, {true, true});
    BOOST_TEST(rank_from(grid, 4, {1, 1}, -1) == 0);
    BOOST_TEST(rank_from(grid, 0, {1, 0}, -1) == 6);
}

BOOST_AUTO_TEST_CASE(offsets_beyond_a_dimension_wrap_several_times) {
    const Grid grid({3, 3}, {true, true});
    BOOST_TEST(rank_from(grid, 0, {7, -7}) == 3 * (7 - 6) + (-7 + 9));
    constexpr int huge = std::numeric_limits<int>::max();  // 2^31 - 1 = 1 mod 3
    BOOST_TEST(rank_from(grid, 8, {huge, 0}) == 2);
    constexpr int lowest = std::numeric_limits<int>::min();  // -2^31 = 1 mod 3, 2^31 = 2 mod 3
    BOOST_TEST(rank_from(grid, 0, {lowest, 0}) == 3);
    BOOST_TEST(rank_from(grid, 0, {lowest, 0}, -1) == 6);
}

BOOST_AUTO_TEST_CASE(no_rank_lies_off_a_mesh) {
    const Grid grid({3, 3}, {false, false});
    BOOST_TEST(rank_from(grid, 4, {1, 1}) == 8);
    BOOST_TEST(rank_from(grid, 8, {1, 0}) == no_rank);
    BOOST_TEST(rank_from(grid, 8, {0, 1}) == no_rank);
    BOOST_TEST(rank_from(grid, 0, {0, -1}) == no_rank);
}

BOOST_AUTO_TEST_CASE(only_periodic_dimensions_wrap) {
    const Grid grid({3, 3}, {true, false});
    BOOST_TEST(!grid.fully_periodic());
    BOOST_TEST(rank_from(grid, 6, {1, 0}) == 0);
    BOOST_TEST(rank_from(grid, 2, {0, 1}) == no_rank);
}

BOOST_AUTO_TEST_CASE(in_a_periodic_dimension_of_one_every_step_leads_back) {
    const Grid grid({1, 3}, {true, true});
    BOOST_TEST(rank_from(grid, 2, {1, 0}) == 2);
    BOOST_TEST(rank_from(grid, 2, {-5, 0}) == 2);
}

BOOST_AUTO_TEST_CASE(in_a_mesh_dimension_of_one_every_step_leads_off) {
    const Grid grid({1, 3}, {false, true});
    BOOST_TEST(rank_from(grid, 2, {0, 0}) == 2);
    BOOST_TEST(rank_from(grid, 2, {1, 0}) == no_rank);
}

BOOST_AUTO_TEST_CASE(in_a_periodic_dimension_of_two_both_directions_meet) {
    const Grid grid({2}, {true});
    BOOST_TEST(rank_from(grid, 0, {1}) == 1);
    BOOST_TEST(rank_from(grid, 0, {-1}) == 1);
}

BOOST_AUTO_TEST_CASE(the_offset_between_ranks_takes_the_short_way_round) {
    const Grid grid({5, 4}, {true, true});
    const int from = 0;
    const int to = 4 * 4 + 3;  // coordinates (4, 3): 4 or -1 steps, 3 or -1 steps
    BOOST_TEST(grid.offset_between(from, to) == (Vector{-1, -1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(of_two_ways_of_equal_length_the_positive_is_taken) {
    const Grid grid({4, 2}, {true, true});
    BOOST_TEST(grid.offset_between(0, 2 * 2 + 1) == (Vector{2, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(grid.offset_between(2 * 2 + 1, 0) == (Vector{2, 1}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_offset_between_ranks_of_a_mesh_never_wraps) {
    const Grid grid({5}, {false});
    BOOST_TEST(grid.offset_between(4, 0) == Vector{-4}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_offset_between_any_two_ranks_leads_from_one_to_the_other) {
    for (const bool period : {false, true}) {
        const Grid grid({3, 1, 2, 4}, {period, true, !period, true});
        for (int from = 0; from < grid.size(); ++from)
            for (int to = 0; to < grid.size(); ++to)
                BOOST_TEST(rank_from(grid, from, grid.offset_between(from, to)) == to);
    }
}

BOOST_AUTO_TEST_SUITE_END()
