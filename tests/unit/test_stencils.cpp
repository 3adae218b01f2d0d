// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "topology/stencils.hpp"

#include <array>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_stencils)

using namespace carpool::topology;
using Vector = std::vector<int>;

namespace {

int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

std::vector<Vector> offsets_of(const Neighborhood& neighborhood) {
    std::vector<Vector> offsets;
    for (int i = 0; i < neighborhood.size(); ++i)
        offsets.emplace_back(neighborhood[i].begin(), neighborhood[i].end());
    return offsets;
}

bool is_distinct(const Neighborhood& neighborhood) {
    const auto offsets = offsets_of(neighborhood);
    return std::set<Vector>(offsets.begin(), offsets.end()).size() == offsets.size();
}

bool contains_zero(const Neighborhood& neighborhood) {
    for (const auto& offset : offsets_of(neighborhood))
        if (is_zero(offset)) return true;
    return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_neighborhood_gives_back_its_offsets_in_their_order) {
    const Neighborhood neighborhood(2, {0, 1, -1, 0, 0, 1});
    BOOST_TEST(neighborhood.size() == 3);
    BOOST_TEST(neighborhood.dimensions() == 2);
    const std::vector<Vector> offsets{{0, 1}, {-1, 0}, {0, 1}};
    BOOST_TEST((offsets_of(neighborhood) == offsets));
}

BOOST_AUTO_TEST_CASE(a_neighborhood_may_be_empty) { BOOST_TEST(Neighborhood(3, {}).size() == 0); }

BOOST_AUTO_TEST_CASE(only_the_zero_vector_is_zero) {
    BOOST_TEST(is_zero(Vector{0, 0}));
    BOOST_TEST(!is_zero(Vector{0, -1}));
}

BOOST_AUTO_TEST_CASE(the_nine_points_of_paper_2_come_in_its_order) {
    const std::vector<Vector> offsets{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 0},
                                      {0, 1},   {1, -1}, {1, 0},  {1, 1}};
    BOOST_TEST((offsets_of(box(2, 3, -1)) == offsets));
}

BOOST_AUTO_TEST_CASE(a_box_has_n_to_the_d_offsets) {
    for (int d = 1; d <= 5; ++d)
        for (int n = 1; n <= 5; ++n) BOOST_TEST(box(d, n, -1).size() == power(n, d));
}

BOOST_AUTO_TEST_CASE(a_box_away_from_the_origin_does_not_contain_zero) {
    BOOST_TEST(contains_zero(box(2, 2, 0)));
    BOOST_TEST(!contains_zero(box(2, 2, 1)));
}

BOOST_AUTO_TEST_CASE(moore_has_2r_plus_1_to_the_d_minus_1_offsets) {
    for (int d = 1; d <= 4; ++d)
        for (int r = 0; r <= 3; ++r) BOOST_TEST(moore(d, r).size() == power(2 * r + 1, d) - 1);
    BOOST_TEST(moore(5, 3).size() == 16806);
}

BOOST_AUTO_TEST_CASE(von_neumann_of_radius_1_has_2d_offsets) {
    for (int d = 1; d <= 5; ++d) BOOST_TEST(von_neumann(d, 1).size() == 2 * d);
}

BOOST_AUTO_TEST_CASE(von_neumann_in_the_plane_has_2r_times_r_plus_1_offsets) {
    for (int r = 0; r <= 5; ++r) BOOST_TEST(von_neumann(2, r).size() == 2 * r * (r + 1));
}

BOOST_AUTO_TEST_CASE(von_neumann_of_radius_2_in_space_has_24_offsets) {
    BOOST_TEST(von_neumann(3, 2).size() == 6 + 6 + 12);  // one step, one twice, two different
}

BOOST_AUTO_TEST_CASE(the_octant_of_paper_1_has_7_offsets) {
    BOOST_TEST(positive_octant(3, 1).size() == 2 * 2 * 2 - 1);
    BOOST_TEST(positive_octant(3, 3).size() == 4 * 4 * 4 - 1);
}

BOOST_AUTO_TEST_CASE(the_shales_of_figure_4b_have_1396_offsets) {
    // the surfaces of cubes of side 7 and 15: (343 - 125) + (3375 - 2197)
    BOOST_TEST(shales(3, std::array{3, 7}).size() == 218 + 1178);
    BOOST_TEST(shales(3, std::array{3, 7}).size() == 1396);
}

BOOST_AUTO_TEST_CASE(all_shales_up_to_a_radius_make_moore) {
    const auto shells = offsets_of(shales(2, std::array{1, 2}));
    BOOST_TEST((shells == offsets_of(moore(2, 2))));
    BOOST_TEST(shales(2, std::vector<int>{}).size() == 0);
}

BOOST_AUTO_TEST_CASE(no_stencil_repeats_an_offset_or_contains_zero) {
    for (const auto& stencil :
         {moore(3, 2), von_neumann(3, 3), positive_octant(3, 2), shales(3, std::array{1, 3})}) {
        BOOST_TEST(is_distinct(stencil));
        BOOST_TEST(!contains_zero(stencil));
    }
}

BOOST_AUTO_TEST_SUITE_END()
