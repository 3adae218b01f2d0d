// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "routing/plan.hpp"

#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_plan)

using carpool::routing::Plan;
using Numbers = std::vector<std::int64_t>;

namespace {

/// Block 0 takes two hops, and a copy of it takes one; block 1 takes one hop.
Plan three_and_one() {
    const std::vector<int> one{1}, two{2};
    Plan plan(1, 2);
    plan.add_round(0, one);
    const int on_its_way = plan.add_move(0);
    plan.add_move(1);
    plan.add_round(1, two);
    plan.add_move(on_its_way);
    plan.add_move(0);
    return plan;
}

}  // namespace

BOOST_AUTO_TEST_CASE(hops_of_a_block_are_those_of_its_copies_too) {
    BOOST_TEST(three_and_one().hops_of_blocks() == (Numbers{3, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(Plan(1, 2).hops_of_blocks() == (Numbers{0, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_block_weighs_at_each_hop) {
    const auto plan = three_and_one();
    BOOST_TEST(plan.volume_by(Numbers{10, 7}) == 3 * 10 + 7);
    BOOST_TEST(plan.volume_by(Numbers{1, 1}) == plan.volume());
    BOOST_TEST(plan.volume_by({}) == plan.volume());
}

BOOST_AUTO_TEST_SUITE_END()
