// SPDX-License-Identifier: MIT
// What processes tell all others of their nodes, and whether any two of them share memory.

#include "shared/node_name.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_node_names)

namespace shared = carpool::shared;

namespace {

constexpr std::uint64_t process = 5;  // any that shares memory

std::vector<std::uint64_t> names_of(const std::vector<shared::ProcessAddress>& addresses) {
    std::vector<std::uint64_t> names;
    for (const auto& address : addresses) names.push_back(shared::node_name(address));
    return names;
}

bool any_two_share(const std::vector<shared::ProcessAddress>& addresses) {
    return shared::any_two_share(names_of(addresses));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_name_tells_the_node_and_whether_memory_is_shared) {
    const auto names = names_of({{7, process}, {7, 0}, {8, process}, {8, process + 1}});
    BOOST_TEST(shared::node_in(names[0]) == shared::node_in(names[1]));
    BOOST_TEST(shared::node_in(names[0]) != shared::node_in(names[2]));
    BOOST_TEST(names[2] == names[3]);
    BOOST_TEST(shared::tells_of_memory(names[0]));
    BOOST_TEST(!shared::tells_of_memory(names[1]));
}

BOOST_AUTO_TEST_CASE(nodes_that_differ_in_one_bit_have_different_names) {
    for (int bit = 0; bit < 63; ++bit) {
        const auto names = names_of({{0, process}, {std::uint64_t{1} << bit, process}});
        BOOST_TEST(shared::node_in(names[0]) != shared::node_in(names[1]), bit);
    }
}

BOOST_AUTO_TEST_CASE(two_share_if_they_are_on_one_node_and_both_have_memory) {
    BOOST_TEST(any_two_share({{7, process}, {8, process}, {7, process + 1}}));
    BOOST_TEST(!any_two_share({{7, process}, {8, process}, {9, process}}));
    BOOST_TEST(!any_two_share({{7, process}, {7, 0}, {8, 0}, {8, 0}}));
    BOOST_TEST(!any_two_share({{7, process}}));
    BOOST_TEST(!any_two_share({}));
}

BOOST_AUTO_TEST_SUITE_END()
