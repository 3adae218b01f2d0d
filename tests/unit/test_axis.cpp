// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "neighborhood_cases.hpp"
#include "routing/axis.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_axis)

using carpool::routing::axis_of;
using carpool::topology::Neighborhood;
using Vector = std::vector<int>;

BOOST_AUTO_TEST_CASE(values_are_distinct_and_ascend) {
    const Neighborhood neighborhood(2, {3, 9, -1, 9, 3, 9, 0, 9});
    const auto axis = axis_of(neighborhood, 0);
    BOOST_TEST(axis.values == (Vector{-1, 0, 3}), boost::test_tools::per_element());
    BOOST_TEST(axis.index_of == (Vector{2, 0, 2, 1}), boost::test_tools::per_element());
    BOOST_TEST(axis_of(neighborhood, 1).values == Vector{9}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(zero_is_not_counted_among_nonzero_values) {
    const Neighborhood neighborhood(2, {3, 9, -1, 9, 3, 9, 0, 9});
    BOOST_TEST(nonzero_values(axis_of(neighborhood, 0)) == 3 - 1);
    BOOST_TEST(nonzero_values(axis_of(neighborhood, 1)) == 1);
}

BOOST_AUTO_TEST_CASE(an_empty_neighborhood_has_no_values) {
    const auto axis = axis_of({1, {}}, 0);
    BOOST_TEST(axis.values.empty());
    BOOST_TEST(axis.index_of.empty());
    BOOST_TEST(nonzero_values(axis) == 0);
}

BOOST_AUTO_TEST_CASE(the_extreme_integers_are_values_like_any_other) {
    constexpr int low = std::numeric_limits<int>::min();
    constexpr int high = std::numeric_limits<int>::max();
    const auto axis = axis_of({1, {high, 0, low, high}}, 0);
    BOOST_TEST(axis.values == (Vector{low, 0, high}), boost::test_tools::per_element());
    BOOST_TEST(axis.index_of == (Vector{2, 1, 0, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(close_values_at_the_ends_of_the_integers_are_bucketed) {
    constexpr int low = std::numeric_limits<int>::min();
    constexpr int high = std::numeric_limits<int>::max();
    BOOST_TEST(axis_of({1, {high, high - 2}}, 0).values == (Vector{high - 2, high}),
               boost::test_tools::per_element());
    BOOST_TEST(axis_of({1, {low + 2, low}}, 0).values == (Vector{low, low + 2}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_axis_gives_back_its_coordinates) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) {
        for (int k = 0; k < neighborhood.dimensions(); ++k) {
            const auto axis = axis_of(neighborhood, k);
            std::set<int> distinct;
            for (int i = 0; i < neighborhood.size(); ++i) {
                const int coordinate = neighborhood[i][static_cast<std::size_t>(k)];
                const int index = axis.index_of[static_cast<std::size_t>(i)];
                BOOST_TEST(axis.values[static_cast<std::size_t>(index)] == coordinate, name);
                distinct.insert(coordinate);
            }
            BOOST_TEST(std::equal(distinct.begin(), distinct.end(), axis.values.begin(),
                                  axis.values.end()),
                       name);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
