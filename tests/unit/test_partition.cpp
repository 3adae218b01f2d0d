// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "neighborhood_cases.hpp"
#include "routing/partition.hpp"

#include <map>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_partition)

using carpool::routing::axis_of;
using carpool::routing::Partition;
using carpool::topology::Neighborhood;

BOOST_AUTO_TEST_CASE(the_whole_is_one_class_unless_it_is_empty) {
    BOOST_TEST(Partition::whole(5).classes() == 1);
    BOOST_TEST(Partition::whole(5).class_of(4) == 0);
    BOOST_TEST(Partition::whole(0).classes() == 0);
}

BOOST_AUTO_TEST_CASE(singletons_are_as_many_as_neighbors) {
    const auto partition = Partition::singletons(3);
    BOOST_TEST(partition.classes() == 3);
    BOOST_TEST(partition.class_of(2) == 2);
    BOOST_TEST(partition.first(2) == 2);
}

BOOST_AUTO_TEST_CASE(a_dimension_divides_the_whole_by_its_values) {
    const Neighborhood neighborhood(2, {1, 5, 0, 5, 1, 6});
    const auto rows = Partition::whole(3).refined(axis_of(neighborhood, 0));
    BOOST_TEST(rows.classes() == 2);
    BOOST_TEST(rows.class_of(0) == rows.class_of(2));
    BOOST_TEST(rows.class_of(0) != rows.class_of(1));
    BOOST_TEST(rows.first(1) == 1);
    BOOST_TEST(rows.refined(axis_of(neighborhood, 1)).classes() == 3);
}

BOOST_AUTO_TEST_CASE(classes_are_exactly_the_prefixes_of_all_neighborhoods) {
    for (const auto& [name, neighborhood] : cases::neighborhoods()) {
        auto partition = Partition::whole(neighborhood.size());
        for (int k = 0; k < neighborhood.dimensions(); ++k) {
            partition = partition.refined(axis_of(neighborhood, k));
            std::map<std::vector<int>, int> class_of_prefix;
            for (int i = 0; i < neighborhood.size(); ++i) {
                const auto offset = neighborhood[i].first(static_cast<std::size_t>(k) + 1);
                const auto next = static_cast<int>(class_of_prefix.size());
                const auto [at, is_new] =
                    class_of_prefix.try_emplace({offset.begin(), offset.end()}, next);
                BOOST_TEST(partition.class_of(i) == at->second, name);
                if (is_new) BOOST_TEST(partition.first(at->second) == i, name);
            }
            BOOST_TEST(partition.classes() == static_cast<int>(class_of_prefix.size()), name);
        }
    }
}

BOOST_AUTO_TEST_CASE(classes_too_many_for_a_table_are_still_told_apart) {
    // 200 classes times 200 values, far more than 8 * 200 + 64 table entries
    std::vector<int> flat;
    for (int i = 0; i < 200; ++i) flat.insert(flat.end(), {i, 199 - i});
    const Neighborhood neighborhood(2, flat);
    const auto partition = Partition::singletons(200).refined(axis_of(neighborhood, 1));
    BOOST_TEST(partition.classes() == 200);
    for (int i = 0; i < 200; ++i) BOOST_TEST(partition.class_of(i) == i);
}

BOOST_AUTO_TEST_SUITE_END()
