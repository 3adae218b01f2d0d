// SPDX-License-Identifier: MIT
#include <boost/test/unit_test.hpp>

#include "random_source.hpp"
#include "routing/membership_counts.hpp"

#include <algorithm>
#include <memory>
#include <vector>

BOOST_AUTO_TEST_SUITE(test_membership_counts)

using namespace carpool::routing;

namespace {

RankSet set_of(const std::vector<int>& ascending, int ranks) {
    return {std::make_shared<const Words>(RankSet::written(ascending, ranks)), ranks};
}

std::vector<int> found_by(MembershipCounts& counts, int ranks) {
    std::vector<int> found(static_cast<std::size_t>(ranks));
    for (const auto& [rank, count] : counts.in_at_least(1))
        found[static_cast<std::size_t>(rank)] = count;
    return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_set_is_a_list_only_where_that_is_shorter) {
    BOOST_TEST(RankSet::written(std::vector{3, 70}, 96) == (Words{3, 70}),
               boost::test_tools::per_element());
    BOOST_TEST(RankSet::written(std::vector{1, 33, 64}, 96) == (Words{2, 2, 1}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_set_contains_what_was_written_and_nothing_else) {
    for (const auto& members : {std::vector<int>{}, {31}, {0, 31, 32, 66}}) {
        const auto set = set_of(members, 67);
        for (int rank = 0; rank < 67; ++rank)
            BOOST_TEST(set.contains(rank) ==
                       std::binary_search(members.begin(), members.end(), rank));
    }
}

BOOST_AUTO_TEST_CASE(every_rank_is_counted_once_per_set_whatever_the_form_and_the_number_of_sets) {
    RandomSource random(5);
    for (const int ranks : {1, 7, 31, 32, 33, 100, 257}) {
        MembershipCounts counts(ranks);
        std::vector<int> expected(static_cast<std::size_t>(ranks));
        for (int i = 0; i < 600; ++i) {  // more than the counter can hold: 255
            std::vector<int> members;
            const int scarcity = random.between(1, 60);
            for (int rank = 0; rank < ranks; ++rank)
                if (random.one_in(scarcity)) members.push_back(rank);
            for (const int rank : members) ++expected[static_cast<std::size_t>(rank)];
            counts.add(set_of(members, ranks));
        }
        BOOST_TEST(found_by(counts, ranks) == expected, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(few_members_of_many_ranks_are_counted_as_well_and_in_ascending_order) {
    MembershipCounts counts(1000000);
    for (const auto& members : {std::vector{5, 70, 999999}, {70, 80}, {5, 70}})
        counts.add(set_of(members, 1000000));
    const auto found = counts.in_at_least(2);
    BOOST_TEST_REQUIRE(found.size() == 2);
    BOOST_TEST(found[0].rank == 5);
    BOOST_TEST(found[0].count == 2);
    BOOST_TEST(found[1].rank == 70);
    BOOST_TEST(found[1].count == 3);
}

BOOST_AUTO_TEST_SUITE_END()
