// SPDX-License-Identifier: MIT
// Maps of ranks to nodes, with any names of nodes.

#include "random_source.hpp"

#include "topology/nodes.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_nodes)

namespace {

using carpool::topology::Nodes;

BOOST_AUTO_TEST_CASE(nodes_are_numbered_by_their_lowest_ranks) {
    const std::vector<std::uint64_t> names{7, 3, 7, 9, 3};
    const Nodes nodes(names);
    BOOST_TEST(nodes.count() == 3);
    const int expected[] = {0, 1, 0, 2, 1};
    for (int rank = 0; rank < 5; ++rank) BOOST_TEST(nodes.node(rank) == expected[rank]);
    BOOST_TEST(nodes.place(4) == 1);
    const std::vector<int> of_first{0, 2};
    BOOST_TEST(nodes.ranks_of(0) == of_first, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_rank_has_its_place_among_those_of_its_node) {
    const auto seed = first_seed();
    BOOST_TEST_MESSAGE("seed " << seed);
    RandomSource random(seed);
    for (int round = 0; round < 1000; ++round) {
        std::vector<std::uint64_t> names(static_cast<std::size_t>(random.between(1, 40)));
        for (auto& name : names) name = static_cast<std::uint64_t>(random.between(0, 9));
        const Nodes nodes(names);
        for (int rank = 0; rank < nodes.ranks(); ++rank) {
            const auto endpoints = nodes.ranks_of(nodes.node(rank));
            BOOST_REQUIRE(std::ranges::is_sorted(endpoints));
            BOOST_REQUIRE(endpoints[static_cast<std::size_t>(nodes.place(rank))] == rank);
            for (const int endpoint : endpoints)
                BOOST_REQUIRE(names[static_cast<std::size_t>(endpoint)] ==
                              names[static_cast<std::size_t>(rank)]);
        }
    }
}

BOOST_AUTO_TEST_CASE(nodes_in_a_row_have_as_many_consecutive_ranks_each) {
    const auto in_a_row = [](std::vector<std::uint64_t> names) { return Nodes(names).in_a_row(); };
    BOOST_TEST(in_a_row({1, 1, 2, 2}) == 2);
    BOOST_TEST(in_a_row({1, 1, 1, 1}) == 4);
    BOOST_TEST(in_a_row({1, 2, 1, 2}) == 1);
    BOOST_TEST(in_a_row({1, 1, 2, 2, 3}) == 1);
    BOOST_TEST(in_a_row({1, 2, 2}) == 1);
    BOOST_TEST(in_a_row({1, 1, 2, 2, 1, 1}) == 1);
    BOOST_TEST(in_a_row({1, 1, 2, 3}) == 1);
    BOOST_TEST(in_a_row({1, 2, 3}) == 1);
    const std::vector<std::uint64_t> uneven{1, 2, 2, 3, 2};
    BOOST_TEST(Nodes(uneven).most_ranks() == 3);
}

BOOST_AUTO_TEST_CASE(other_maps_have_other_digests) {
    const std::vector<std::uint64_t> some{1, 1, 2, 2};
    const std::vector<std::uint64_t> renamed{5, 5, 4, 4};
    const std::vector<std::uint64_t> turned{1, 2, 1, 2};
    BOOST_TEST(Nodes(some).digest() == Nodes(renamed).digest());
    BOOST_TEST(Nodes(some).digest() != Nodes(turned).digest());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
